export const archive = {
  "storm-archive": {
    files: {
      "by-storm/2005-12-Katrina.csv": 240_600,
      "by-storm/2005-25-Wilma.csv": 1_200,
      "maps/atlantic/2005.png": 90_000,
      "README.txt": 2_300,
      "airports.csv": 205_400,
    },
  },
  "public-data": { allowsUploads: true, files: {} },
};

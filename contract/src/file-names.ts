import { trimCharacters } from "./trim-characters.ts";

// Forbidden in file names on some operating system, or changes how a name is displayed.
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const unsafe = /[\\/:*?"<>|\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A name that is valid on every file system: no separators, no control characters, no dots or spaces at its ends. */
export const safeFileName = (name: string): string => trimCharacters(name.replace(unsafe, "-"), dotsAndSpaces) || "download";

// Every space that `\s` matches and `unsafe` does not.
const dotsAndSpaces =
  ". \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

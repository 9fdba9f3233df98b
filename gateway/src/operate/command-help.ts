/** The commands for operators, and their options. */
export const help = `Usage: npm run fairway -- COMMAND [options]

Commands for operators. They read the portal's environment variables and settings file: run them as the portal's user with
the same environment.

  doctor          Checks settings, address, folder, database, key, clocks, certificates and services, and says what to do.
                  Works while the portal runs and while it is stopped.
    --json        Prints the findings as JSON.
    --demo        Checks the demo (npm start) instead of a portal of npm run start:production.

  settings        Prints the settings file for the present environment, as JSON: what FAIRWAY_SETTINGS names, and variables that
                  are read from the environment for the last time. Leaves out secrets.

  backup FOLDER   Writes database and files to a new folder. Works while the portal runs and while it is stopped.
    --passphrase-file=FILE
                  Adds the master key, encrypted with the first line of this file. Without it, the key is left out: keep
                  master.key or FAIRWAY_MASTER_KEY elsewhere, as stored secrets cannot be read without it.

  restore FOLDER  Restores a backup into an empty FAIRWAY_HOME, and with DATABASE_URL into that empty database.
                  The portal has to be stopped.
    --passphrase-file=FILE
                  Restores the master key as well, if the backup contains it.

  rotate-master-key
                  Creates a new master key and encrypts every stored secret with it. Stop every gateway first. May be run again
                  if it was interrupted. Earlier backups still need their own keys. Never prints a key.
    --new-key-file=FILE
                  Takes the new key from this file, or writes it there if the file does not exist. Needed if
                  FAIRWAY_MASTER_KEY is set; the command then says what to do with the file.

  move-own-data   Moves the files of own datasets to where the settings say: to the bucket ownData.bucket, or to the folder if there
                  is none. Works while the portal runs and while it is stopped. May be run again if it was interrupted. Files
                  are read in their new place at once, and removed in the former one by the portal an hour later.

  reset-admin USERNAME
                  Gives the account, which is created if there is none, the role admin and a new password, unlocks it, and ends
                  its sessions and its card. The password is the first line of standard input, or is asked for on a terminal.
                  Works while the portal runs and while it is stopped.
    --one-time-password
                  Generates and prints a password instead, which has to be changed at the first sign-in.
    --remove-second-factors
                  Removes the account's authenticator app, passkeys and recovery codes as well.

  help            Prints this text.

Exit codes: 0 = done, no problems; 1 = there are problems, or the command could not do its work; 2 = wrong usage.
`;

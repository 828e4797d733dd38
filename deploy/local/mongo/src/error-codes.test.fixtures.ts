// MongoDB's error codes (src/mongo/base/error_codes.yml of the server), independent of the engine's own table.
export const BAD_VALUE = 2;
export const TYPE_MISMATCH = 14;
export const PATH_NOT_VIABLE = 28;
export const INVALID_OPTIONS = 72;
export const WRITE_CONFLICT = 112;
export const TRANSACTION_TOO_OLD = 225;
export const NO_SUCH_TRANSACTION = 251;
export const TRANSACTION_COMMITTED = 256;
export const DUPLICATE_KEY = 11000;
export const OUT_OF_DISK_SPACE = 14031;

import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';

// This package throws or logs every error of a call; grpc-js would also write it to standard error.
setLogVerbosity(logVerbosity.NONE);

import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';

// Errors are thrown or logged by this code; the log lines of gRPC on standard error would repeat them.
setLogVerbosity(logVerbosity.NONE);

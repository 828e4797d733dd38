import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';

// This package throws or logs every error of a call; grpc-js would write them to standard error a second time.
setLogVerbosity(logVerbosity.NONE);

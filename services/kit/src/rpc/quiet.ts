import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';

// What goes wrong is thrown or logged here, once; gRPC's own lines on standard error would only double it.
setLogVerbosity(logVerbosity.NONE);

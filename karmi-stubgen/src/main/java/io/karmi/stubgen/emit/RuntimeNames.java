package io.karmi.stubgen.emit;

/** Internal names of the classes and methods that generated classes call. */
final class RuntimeNames {
  static final String STUB = "io/karmi/stub/Stub";
  static final String CLIENT_REF = "io/karmi/reference/ClientRef";
  static final String SKELETON = "io/karmi/reference/Skeleton";
  static final String REMOTE_INTERFACE = "io/karmi/id/RemoteInterface";
  static final String ARGUMENTS = "io/karmi/marshal/Arguments";
  static final String CALL_INPUT = "io/karmi/marshal/CallInput";
  static final String CALL_OUTPUT = "io/karmi/marshal/CallOutput";
  static final String FUTURE = "java/util/concurrent/CompletableFuture";
  static final String REMOTE = "java/rmi/Remote";

  private RuntimeNames() {}

  static String descriptor(String internalName) {
    return "L" + internalName + ";";
  }
}

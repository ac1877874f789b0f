package io.karmi.retrofit.rewrite;

/**
 * Change of {@code java.lang.ClassLoader}, which asks {@code io.karmi.retrofit.agent.Room} for room
 * before it defines a class. The call of a definition that gets the code source of the protection
 * domain is replaced by one of the same length, without ASM.
 */
final class RoomCheck {
  private static final int INVOKEVIRTUAL = 0xb6;
  private static final int INVOKESTATIC = 0xb8;
  private static final int NAME_AND_TYPE = 12;

  /** Bytes of a Code attribute before its instructions, its header included. */
  private static final int CODE_HEADER = ClassBytes.ATTRIBUTE_HEADER + 8;

  private static final String DEFINING = "defineClassSourceLocation";
  private static final String DOMAIN = "java/security/ProtectionDomain";
  private static final String ASKED = "getCodeSource";
  private static final String ROOM = "io/karmi/retrofit/agent/Room";
  private static final String DESCRIPTOR =
      "(Ljava/security/ProtectionDomain;)Ljava/security/CodeSource;";

  private final ClassBytes file;

  private RoomCheck(ClassBytes file) {
    this.file = file;
  }

  /**
   * The class file of {@code java.lang.ClassLoader} with the check.
   *
   * @throws IllegalArgumentException if it has no such call
   */
  static byte[] added(ClassBytes file) {
    return new RoomCheck(file).added();
  }

  private byte[] added() {
    int call = call();
    PatchedClass patched = new PatchedClass(file);
    int owner = patched.addClass(ROOM);
    int type = patched.constant(NAME_AND_TYPE, patched.text(ASKED), patched.text(DESCRIPTOR));
    patched.putByte(call, INVOKESTATIC);
    patched.put(call + 1, patched.constant(ClassBytes.METHOD, owner, type));
    return patched.toByteArray();
  }

  /** Offset of the instruction to replace. */
  private int call() {
    int method = file.methods() + 2;
    for (int i = file.u2(method - 2); i > 0; i--) {
      if (file.text(file.u2(method + 2)).equals(DEFINING)) {
        return call(method);
      }
      method = file.endOfMember(method);
    }
    throw new IllegalArgumentException("no ".concat(DEFINING));
  }

  private int call(int method) {
    int attribute = method + 8;
    for (int i = file.u2(method + 6); i > 0; i--) {
      if (file.text(file.u2(attribute)).equals("Code")) {
        int start = attribute + CODE_HEADER;
        int end = start + file.u4(start - 4);
        for (int at = start; at < end - 2; at++) {
          if (file.u1(at) == INVOKEVIRTUAL && isAsked(file.u2(at + 1))) {
            return at;
          }
        }
      }
      attribute = file.endOfAttribute(attribute);
    }
    throw new IllegalArgumentException(DEFINING.concat(" asks for no code source"));
  }

  private boolean isAsked(int constant) {
    return constant > 0
        && constant < file.constantCount()
        && file.tag(constant) == ClassBytes.METHOD
        && file.memberName(constant).equals(ASKED)
        && file.className(file.owner(constant)).equals(DOMAIN);
  }
}

package io.karmi.retrofit.rewrite;

/** Sizes of instructions. */
final class Instructions {
  private static final int TABLESWITCH = 0xaa;
  private static final int LOOKUPSWITCH = 0xab;
  private static final int WIDE = 0xc4;
  private static final int IINC = 0x84;
  private static final int LAST = 0xc9;

  /** Bytes of each instruction, opcodes in rows of sixteen; a question mark depends. */
  private static final String LENGTHS =
      "1111111111111111" // nop, constants
          + "2323322222111111" // bipush, sipush, ldc, loads
          + "1111111111111111"
          + "1111112222211111" // stores
          + "1111111111111111"
          + "1111111111111111"
          + "1111111111111111"
          + "1111111111111111"
          + "1111311111111111" // iinc
          + "1111111113333333" // jumps
          + "3333333332??1111" // goto, jsr, ret, switches, returns
          + "1133333335532311" // return, members, calls, new, arrays
          + "3311?43355"; // casts, monitors, wide, far jumps

  private Instructions() {}

  /**
   * Bytes of one instruction.
   *
   * @param start offset of the method's code in the class file
   * @param at offset of the instruction in the class file
   * @throws IllegalArgumentException if there is no such instruction
   */
  static int length(ClassBytes file, int start, int at) {
    int opcode = file.u1(at);
    if (opcode > LAST) {
      throw new IllegalArgumentException(
          "broken class file: instruction ".concat(String.valueOf(opcode)));
    }
    int length =
        switch (opcode) {
          case TABLESWITCH, LOOKUPSWITCH -> branching(file, opcode, at, start);
          case WIDE -> file.u1(at + 1) == IINC ? 6 : 4;
          default -> LENGTHS.charAt(opcode) - '0';
        };
    if (length <= 0) {
      throw new IllegalArgumentException("broken class file: switch without cases");
    }
    return length;
  }

  private static int branching(ClassBytes file, int opcode, int at, int start) {
    int padded = at + 4 - (at - start & 3);
    if (opcode == LOOKUPSWITCH) {
      return padded + 8 + 8 * file.u4(padded + 4) - at;
    }
    return padded + 12 + 4 * (file.u4(padded + 8) - file.u4(padded + 4) + 1) - at;
  }
}

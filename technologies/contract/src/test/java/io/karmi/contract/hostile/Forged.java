package io.karmi.contract.hostile;

/** Objects in UKA's format that no writer writes (docs/wire-format.md, 1.3 to 1.11). */
public final class Forged {
  private static final int REFERENCE = 0x40;
  private static final int OBJECT = 0x02;
  private static final int ARRAY = 0x05;
  private static final int BLOCK = 0x0A;
  private static final int END_OF_BLOCKS = 0x0B;
  private static final int SERIALIZABLE = 0x02;
  private static final int EXTERNALIZABLE_IN_BLOCKS = 0x0C;
  private static final int HAS_VERSION = 0x20;
  private static final int PLATFORM = 0x80;
  private static final int OBJECT_ARRAY = 19;
  private static final int HASH_SET = 27;

  private Forged() {}

  /** An object of a class without fields. */
  public static WireBytes object(String className, long version) {
    return new WireBytes().u8(OBJECT).raw(fullType(className, SERIALIZABLE, version));
  }

  private static WireBytes fullType(String className, int flags, long version) {
    return new WireBytes()
        .u8(1, flags | HAS_VERSION)
        .text(className)
        .int64(version)
        .u8(END_OF_BLOCKS, 0);
  }

  private static WireBytes platformType(int number) {
    return new WireBytes().u8(1, PLATFORM + number, END_OF_BLOCKS, 0);
  }

  /** Arrays of objects, each the first element of the one before, and nothing behind the last. */
  static WireBytes nestedArrays(int levels, int length) {
    WireBytes bytes = new WireBytes().u8(ARRAY).raw(platformType(OBJECT_ARRAY)).number(length);
    for (int i = 1; i < levels; i++) {
      bytes.u8(PLATFORM).number(length);
    }
    return bytes;
  }

  /** Arrays of two, nested; the second element of each refers to the array itself. */
  static WireBytes arraysThatLookBack(int levels) {
    WireBytes bytes = new WireBytes().u8(ARRAY).raw(platformType(OBJECT_ARRAY)).number(2);
    for (int i = 1; i < levels; i++) {
      bytes.u8(PLATFORM).number(2);
    }
    bytes.u8(0);
    for (int i = levels - 1; i >= 0; i--) {
      reference(bytes, i);
    }
    return bytes;
  }

  private static void reference(WireBytes to, int handle) {
    if (handle < REFERENCE) {
      to.u8(REFERENCE + handle);
    } else {
      to.u8(1).number(handle - REFERENCE);
    }
  }

  /** Sets of two sets each, both with the same two sets: each hash asks for two others. */
  public static WireBytes setsOfSets(int levels) {
    WireBytes bytes = new WireBytes();
    new SetWriter(bytes).write(levels);
    return bytes;
  }

  /** Handles count objects in the order in which they begin. */
  private static final class SetWriter {
    private final WireBytes bytes;
    private int handles;

    SetWriter(WireBytes bytes) {
      this.bytes = bytes;
    }

    /** A set with a string and, above the lowest level, two sets; returns their handles. */
    int[] write(int level) {
      beginSet(bytes, handles == 0, level > 0 ? 3 : 1);
      handles++;
      bytes.u8(0x10 + 1, 'x');
      handles++;
      int first = handles;
      int[] lower = level > 0 ? write(level - 1) : new int[0];
      int second = handles;
      if (level > 0) {
        beginSet(bytes, false, lower.length);
        handles++;
        for (int handle : lower) {
          reference(bytes, handle);
        }
        bytes.u8(END_OF_BLOCKS);
      }
      bytes.u8(END_OF_BLOCKS);
      return level > 0 ? new int[] {first, second} : new int[0];
    }
  }

  private static void beginSet(WireBytes bytes, boolean first, int size) {
    if (first) {
      bytes.u8(OBJECT).raw(platformType(HASH_SET));
    } else {
      bytes.u8(PLATFORM);
    }
    bytes.number(2L * size);
  }

  /**
   * Sets of one string each, the same one, in an array that is longer. A set takes four bytes here,
   * and 176 in the heap.
   */
  static WireBytes smallSets(int count, int length) {
    WireBytes bytes = new WireBytes().u8(ARRAY).raw(platformType(OBJECT_ARRAY)).number(length);
    bytes.u8(OBJECT).raw(platformType(HASH_SET)).number(2);
    bytes.u8(0x10 + 1, 'x', END_OF_BLOCKS);
    byte[] set = {(byte) (PLATFORM + 1), 2, REFERENCE + 2, END_OF_BLOCKS};
    byte[] sets = new byte[(count - 1) * set.length];
    for (int i = 0; i < sets.length; i++) {
      sets[i] = set[i % set.length];
    }
    return bytes.raw(sets);
  }

  /** A stub of an object that is not there: see 3.6. */
  public static WireBytes stub(String[] interfaces, long[] node, long object, String address) {
    WireBytes content = new WireBytes().u8(interfaces.length >> 8, interfaces.length);
    for (String each : interfaces) {
      content.utf(each);
    }
    content.bigInt64(node[0]).bigInt64(node[1]).bigInt64(object);
    content.u8(1).utf("tcp").utf(address).u8(0);
    return new WireBytes()
        .u8(OBJECT)
        .raw(fullType("io.karmi.stub.StubForm", EXTERNALIZABLE_IN_BLOCKS, 1))
        .u8(BLOCK)
        .number(content.length())
        .raw(content)
        .u8(END_OF_BLOCKS);
  }

  /** A long string, of which only the beginning comes. */
  static WireBytes beginOfString(int length, int present) {
    return new WireBytes().u8(0x03).number(length).raw(new byte[present]);
  }

  /** A string of ASCII. */
  static WireBytes string(String text) {
    byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    return new WireBytes().u8(0x03).number(bytes.length).raw(bytes);
  }

  /** An array of small sets, and of another object behind them. */
  public static WireBytes setsAndThen(int sets, WireBytes last) {
    WireBytes bytes = new WireBytes().u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(sets + 1L);
    bytes.u8(0x02, 1, 0x80 + 27, 0x0B, 0).number(2).u8(0x11, 'x', 0x0B);
    for (int i = 1; i < sets; i++) {
      bytes.u8(0x81, 2, 0x42, 0x0B);
    }
    return bytes.raw(last);
  }

  /** What a client of stock RMI sends to look a name up, up to the first byte of the name. */
  public static byte[] beginOfStockLookup() {
    WireBytes call = new WireBytes().u8('J', 'R', 'M', 'I', 0, 2, 0x4C, 0x50); // single op, call
    call.u8(0xAC, 0xED, 0, 5, 0x77, 34); // a stream that begins with a block
    call.bigInt64(0).u8(0, 0, 0, 0).bigInt64(0).u8(0, 0); // the registry
    call.u8(0, 0, 0, 2).bigInt64(4905912898345647071L); // lookup
    return call.u8(0x7C).bigInt64(1L << 33).toArray(); // a long string
  }

  /** Different class names, each described and then absent: one type number each. */
  public static WireBytes slimTypes(int count) {
    WireBytes bytes = new WireBytes();
    for (int i = 0; i < count; i++) {
      bytes.u8(0x06, 1, PLATFORM + 11 + i % 8, END_OF_BLOCKS, 0);
    }
    return bytes;
  }
}

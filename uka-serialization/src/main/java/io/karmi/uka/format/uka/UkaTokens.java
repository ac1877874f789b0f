package io.karmi.uka.format.uka;

/** First bytes of values in the UKA format; see {@code docs/wire-format.md}. */
final class UkaTokens {
  /** The letters UKA and the version of the format. */
  static final int HEADER = 'U' << 24 | 'K' << 16 | 'A' << 8 | 1;

  static final int NULL = 0x00;
  static final int REFERENCE = 0x01;
  static final int OBJECT = 0x02;
  static final int LATIN1_STRING = 0x03;
  static final int UTF16_STRING = 0x04;
  static final int ARRAY = 0x05;

  /** Where {@link #NO_TYPE} is the type, a description: the type follows. */
  static final int CLASS = 0x06;

  static final int ENUM = 0x07;

  /** Values whose tokens are left out. */
  static final int RUN = 0x08;

  static final int BLOCK = 0x09;
  static final int LONG_BLOCK = 0x0A;
  static final int END_OF_BLOCKS = 0x0B;
  static final int EXCEPTION = 0x0C;
  static final int RESET = 0x0D;
  static final int RESET_OBJECTS = 0x0E;

  /** An object of a new type, which takes a number for each width of its objects' numbers. */
  static final int NARROW_OBJECT = 0x0F;

  /** The longest string, in characters, that has its length in the token. */
  static final int SHORT_STRING = 0x10;

  static final int SHORT_STRINGS = 0x30;

  /** The handles of the first objects are in the token. */
  static final int SMALL_REFERENCE = 0x40;

  static final int SMALL_REFERENCES = 0x40;

  /** A value of one of the first types, whatever its kind: the number is in the token. */
  static final int OBJECT_OF_TYPE = 0x80;

  static final int OBJECTS_OF_TYPE = 0x80;

  /* Tokens of type numbers. */
  static final int NO_TYPE = 0;
  static final int NEW_TYPE = 1;
  static final int NEW_PROXY = 2;
  static final int NEW_SLIM = 3;
  static final int FIRST_TYPE = 4;

  /* Flags of a description, beside SC_* below 0x20. */
  static final int HAS_UID = 0x20;
  static final int HAS_FIELDS = 0x40;

  /** In the place of flags: the rest of the byte is a number of {@link PlatformDescriptions}. */
  static final int PLATFORM = 0x80;

  /* Type codes of fields beside the JDK's: frequent types without their signature. */
  static final char STRING_FIELD = 's';
  static final char OBJECT_FIELD = 'o';

  static final String STRING_SIGNATURE = "Ljava/lang/String;";
  static final String OBJECT_SIGNATURE = "Ljava/lang/Object;";

  private UkaTokens() {}
}

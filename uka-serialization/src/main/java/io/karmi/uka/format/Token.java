package io.karmi.uka.format;

/** Terminals of the grammar that all formats share. The numbers are not those on the wire. */
public final class Token {
  /** The source has ended. */
  public static final int END_OF_STREAM = -1;

  /** Between messages in another format: another stream has been appended, in UKA's format. */
  public static final int SEAM = -2;

  public static final int NULL = 0;

  /** A handle of an object that is already there. */
  public static final int REFERENCE = 1;

  /** A type, then the object's data. */
  public static final int OBJECT = 2;

  public static final int STRING = 3;

  /** A type, a length, the elements. */
  public static final int ARRAY = 4;

  /** A type: the {@code Class} object. */
  public static final int CLASS = 5;

  /** A type, then the constant's name as a string. */
  public static final int ENUM = 6;

  /** A type: the {@code ObjectStreamClass} object. */
  public static final int DESCRIPTION = 7;

  /** A length, then bytes that a program wrote. */
  public static final int BLOCK = 8;

  /** Ends what a program wrote for one object or class. */
  public static final int END_OF_BLOCKS = 9;

  /** Writing failed; the exception follows as an object. */
  public static final int EXCEPTION = 10;

  /** Both sides forget objects and types. */
  public static final int RESET = 11;

  /** Both sides forget objects (the second reset of paper 3.3). */
  public static final int RESET_OBJECTS = 12;

  private Token() {}
}

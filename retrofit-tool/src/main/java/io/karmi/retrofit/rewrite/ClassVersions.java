package io.karmi.retrofit.rewrite;

import java.nio.ByteBuffer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Class files that ASM does not take by their version: of later Java releases than it knows, and of
 * the newest one with its previews. They are read as those of the newest that it knows, and written
 * with the version that they have. What such a release adds to the format, other than attributes,
 * ASM refuses: then the class is left alone.
 */
public final class ClassVersions {
  /** Major version of the newest class files that ASM reads. */
  private static final int NEWEST = Opcodes.V28;

  /** Offset of the version, two bytes each for minor, which previews have, and major. */
  private static final int VERSION_AT = 4;

  private static final int MAJOR_AT = 6;

  private ClassVersions() {}

  /** Reader of a class file of any version. */
  public static ClassReader reader(byte[] classFile) {
    if (isKnown(classFile)) {
      return new ClassReader(classFile);
    }
    byte[] known = classFile.clone();
    ByteBuffer.wrap(known).putInt(VERSION_AT, NEWEST);
    return new ClassReader(known);
  }

  /** Gives a written class file the version of the one that {@link #reader} has read. */
  static byte[] restored(byte[] written, byte[] classFile) {
    if (!isKnown(classFile)) {
      System.arraycopy(classFile, VERSION_AT, written, VERSION_AT, Integer.BYTES);
    }
    return written;
  }

  /** The major version of a class file, as that of the newest that ASM knows if it is later. */
  static int major(ClassReader reader) {
    return reader.readUnsignedShort(MAJOR_AT);
  }

  private static boolean isKnown(byte[] classFile) {
    ByteBuffer bytes = ByteBuffer.wrap(classFile);
    int major = bytes.getShort(MAJOR_AT) & 0xFFFF;
    return major < NEWEST || bytes.getInt(VERSION_AT) == NEWEST;
  }
}

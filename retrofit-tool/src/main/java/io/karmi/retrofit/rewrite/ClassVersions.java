package io.karmi.retrofit.rewrite;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Class files of later Java releases than ASM knows. They are read as those of the newest that it
 * knows, and written with the version that they have. What such a release adds to the format, other
 * than attributes, ASM refuses: then the class is left alone.
 */
final class ClassVersions {
  /** Major version of the newest class files that ASM reads. */
  private static final int NEWEST = Opcodes.V28;

  /** Offset of the version, two bytes each for minor and major. */
  private static final int VERSION_AT = 4;

  private static final int MAJOR_AT = 6;

  private ClassVersions() {}

  /** Reader of a class file of any version. */
  static ClassReader reader(byte[] classFile) {
    if (major(classFile) <= NEWEST) {
      return new ClassReader(classFile);
    }
    byte[] known = classFile.clone();
    known[MAJOR_AT] = (byte) (NEWEST >> Byte.SIZE);
    known[MAJOR_AT + 1] = (byte) NEWEST;
    return new ClassReader(known);
  }

  /** Gives a written class file the version of the one that {@link #reader} has read. */
  static byte[] restored(byte[] written, byte[] classFile) {
    if (major(classFile) > NEWEST && major(written) == NEWEST) {
      System.arraycopy(classFile, VERSION_AT, written, VERSION_AT, 4);
    }
    return written;
  }

  /** The major version of a class file, as that of the newest that ASM knows if it is later. */
  static int major(ClassReader reader) {
    return reader.readUnsignedShort(MAJOR_AT);
  }

  private static int major(byte[] classFile) {
    return (classFile[MAJOR_AT] & 0xFF) << Byte.SIZE | classFile[MAJOR_AT + 1] & 0xFF;
  }
}

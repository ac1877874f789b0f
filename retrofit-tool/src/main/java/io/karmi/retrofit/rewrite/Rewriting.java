package io.karmi.retrofit.rewrite;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;

/** One class file on its way through visitors. */
abstract class Rewriting {
  private final byte[] classFile;

  Rewriting(byte[] classFile) {
    this.classFile = classFile;
  }

  /**
   * The visitors to go through, in front of {@code next}.
   *
   * @return {@code next} itself if there is nothing to do
   */
  abstract ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log);

  /** Reads and writes the class; an unusual class file is left alone and never an exception. */
  final Outcome outcome() {
    try {
      ClassReader reader = new ClassReader(classFile);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      ChangeLog log = new ChangeLog();
      ClassVisitor chain = chain(reader, writer, log);
      if (chain != writer) {
        reader.accept(chain, 0);
      }
      return new Outcome(log.isEmpty() ? null : writer.toByteArray(), log.changes(), log.note());
    } catch (IllegalArgumentException e) {
      return Outcome.leftAlone(e.getMessage()); // newer than ASM knows
    } catch (RuntimeException e) {
      return Outcome.leftAlone("broken class file: ".concat(e.toString()));
    }
  }
}

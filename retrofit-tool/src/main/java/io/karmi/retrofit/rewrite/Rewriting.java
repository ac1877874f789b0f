package io.karmi.retrofit.rewrite;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;

/** Rewriting of one class file: first in place, then by ASM's visitors. */
abstract class Rewriting {
  private final byte[] classFile;

  Rewriting(byte[] classFile) {
    this.classFile = classFile;
  }

  /**
   * Changes the class without ASM.
   *
   * @return null if nothing has changed
   */
  byte @Nullable [] first(ClassBytes file, ChangeLog log) {
    return null;
  }

  /** Whether a chain of visitors is needed. */
  boolean needsVisitors(ClassBytes file) {
    return true;
  }

  /** Whether visitors also make changes that they do not log, if a class changes at all. */
  boolean addsToChanged() {
    return false;
  }

  /**
   * The visitors in front of {@code next}.
   *
   * @return {@code next} itself if there are none
   */
  abstract ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log);

  /** Rewrites the class; an unusual class file is left alone, without an exception. */
  final Outcome outcome() {
    try {
      ClassBytes file = new ClassBytes(classFile);
      ChangeLog log = new ChangeLog();
      byte[] changed = first(file, log);
      if (!needsVisitors(file)) {
        return new Outcome(changed, log.changes(), null);
      }
      List<String> inPlace = log.changes();
      try {
        byte[] visited = visited(changed, log);
        return new Outcome(visited == null ? changed : visited, log.changes(), log.note());
      } catch (MethodTooLargeException | ClassTooLargeException e) {
        return new Outcome(changed, inPlace, "with more it is too large for a class file");
      }
    } catch (RuntimeException e) {
      String message = e.getMessage();
      if (e instanceof IllegalArgumentException && message != null) {
        return Outcome.leftAlone(message); // says itself what is broken
      }
      return Outcome.leftAlone("broken class file: ".concat(e.toString()));
    }
  }

  /** The class file behind the visitors; null if they change nothing. */
  private byte @Nullable [] visited(byte @Nullable [] changed, ChangeLog log) {
    int before = addsToChanged() ? 0 : log.size();
    ClassReader reader = ClassVersions.reader(changed == null ? classFile : changed);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    ClassVisitor chain = chain(reader, writer, log);
    if (chain == writer) {
      return null;
    }
    reader.accept(chain, 0);
    return log.size() == before ? null : ClassVersions.restored(writer.toByteArray(), classFile);
  }
}

package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rules.RuleSet;
import io.karmi.retrofit.rules.StaticCall;
import org.objectweb.asm.ClassReader;

/**
 * Whether a class that mentions a rule's name does what the rule is about, by its constant pool.
 *
 * <p>Every class with a {@code writeObject} method of its own mentions a stream; few create one.
 */
final class Uses {
  private static final int METHOD = 10;

  private final ClassReader reader;
  private final char[] buffer;

  Uses(ClassReader reader) {
    this.reader = reader;
    this.buffer = new char[reader.getMaxStringLength()];
  }

  /**
   * Whether the class extends or constructs what is created otherwise, or calls what is led
   * elsewhere.
   */
  boolean rewired(RuleSet rules) {
    if (rules.creations().containsKey(reader.getSuperName())) {
      return true;
    }
    for (int i = 1; i < reader.getItemCount(); i++) {
      int item = reader.getItem(i);
      if (item > 0 && reader.readByte(item - 1) == METHOD) {
        String owner = reader.readClass(item, buffer);
        String name = reader.readUTF8(reader.getItem(reader.readUnsignedShort(item + 2)), buffer);
        if (name.equals("<init>") && rules.creations().containsKey(owner)
            || isLed(rules, owner, name)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isLed(RuleSet rules, String owner, String name) {
    for (StaticCall call : rules.staticCalls()) {
      if (call.owner().equals(owner) && call.name().equals(name)) {
        return true;
      }
    }
    return false;
  }
}

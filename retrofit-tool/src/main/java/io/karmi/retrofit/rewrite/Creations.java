package io.karmi.retrofit.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replacement of the classes that a class file creates: by {@code new}, by a constructor reference,
 * and by extending one.
 *
 * <p>The replacement extends the old class and has the same constructors. All other mentions of a
 * class, in casts, signatures and frames, stay. So three indexes into the constant pool are enough:
 * the owner of a constructor, the operand of {@code new}, and the superclass. They are exchanged in
 * place and the new constants appended. No method changes its length, and a program that only
 * creates streams never loads ASM.
 *
 * <p>Calls of {@code super.method()} stay: the JVM looks for the method from the direct superclass
 * on, whichever class the constant names.
 */
final class Creations {
  private static final int NEW = 0xbb;
  private static final byte[] CONSTRUCTOR = {'<', 'i', 'n', 'i', 't', '>'};

  private final ClassBytes file;
  private final ChangeLog log;
  private final PatchedClass patched;

  /** By index of the class's constant: its replacement, or null. */
  private final String[] replaced;

  /** From the constant of a class to that of its replacement. */
  private final Map<Integer, Integer> classes = new HashMap<>();

  private Creations(ClassBytes file, Map<String, String> replacements, ChangeLog log) {
    this.file = file;
    this.log = log;
    this.patched = new PatchedClass(file);
    this.replaced = new String[file.constantCount()];
    byte[][] names = new byte[replacements.size()][];
    String[] values = new String[names.length];
    int count = 0;
    for (Map.Entry<String, String> each : replacements.entrySet()) {
      names[count] = each.getKey().getBytes(StandardCharsets.UTF_8);
      values[count++] = each.getValue();
    }
    mark(names, values);
  }

  private void mark(byte[][] names, String[] values) {
    for (int i = 1; i < replaced.length; i++) {
      if (file.tag(i) == ClassBytes.CLASS) {
        int name = file.u2(file.content(i));
        for (int j = 0; j < names.length; j++) {
          if (file.isText(name, names[j])) {
            replaced[i] = values[j];
          }
        }
      }
    }
  }

  /**
   * The class file with its creations replaced.
   *
   * @return null if it has none to replace
   */
  static byte @Nullable [] replaced(
      ClassBytes file, Map<String, String> replacements, ChangeLog log) {
    return new Creations(file, replacements, log).replaced();
  }

  private byte @Nullable [] replaced() {
    boolean constructs = constructors();
    boolean descends = isReplaced(file.u2(file.superAt()));
    if (!constructs && !descends) {
      return null;
    }
    file.requireWhole();
    if (descends) {
      superclass();
    }
    if (constructs) {
      code();
    }
    return patched.toByteArray();
  }

  /**
   * Changes the owners of constructors. Only creations call these, so the constants change in
   * place.
   */
  private boolean constructors() {
    boolean found = false;
    for (int i = 1; i < file.constantCount(); i++) {
      if (file.tag(i) == ClassBytes.METHOD && isReplaced(file.owner(i))) {
        if (file.isText(file.memberNameAt(i), CONSTRUCTOR)) {
          patched.put(file.content(i), replacement(file.owner(i)));
          found = true;
        }
      }
    }
    for (int i = 1; found && i < file.constantCount(); i++) {
      if (file.tag(i) == ClassBytes.METHOD_HANDLE
          && file.u1(file.content(i)) == ClassBytes.NEW_INVOKE_SPECIAL) {
        int constructed = file.owner(file.u2(file.content(i) + 1));
        if (isReplaced(constructed)) {
          noteNew(constructed);
        }
      }
    }
    return found;
  }

  private boolean isReplaced(int classConstant) {
    return replaced[classConstant] != null;
  }

  private void noteNew(int classConstant) {
    log.replaced("new ".concat(file.className(classConstant)), replaced[classConstant]);
  }

  private void superclass() {
    int constant = file.u2(file.superAt());
    String old = file.className(constant);
    log.replaced("extends ".concat(old), replaced[constant]);
    patched.put(file.superAt(), replacement(constant));
    int attribute = file.attributes() + 2;
    for (int i = file.u2(file.attributes()); i > 0; i--) {
      if (file.text(file.u2(attribute)).equals("Signature")) {
        int at = attribute + ClassBytes.ATTRIBUTE_HEADER;
        patched.put(at, patched.text(signature(file.text(file.u2(at)), old, replaced[constant])));
      }
      attribute = file.endOfAttribute(attribute);
    }
  }

  /**
   * The signature of a class with another superclass, which follows the type parameters. Neither
   * superclass is generic.
   */
  private static String signature(String signature, String old, String replacement) {
    int superclass = 0;
    if (signature.startsWith("<")) {
      int depth = 0;
      do {
        char c = signature.charAt(superclass++);
        depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      } while (depth > 0);
    }
    String from = "L".concat(old).concat(";");
    return signature.startsWith(from, superclass)
        ? signature
            .substring(0, superclass)
            .concat("L")
            .concat(replacement)
            .concat(";")
            .concat(signature.substring(superclass + from.length()))
        : signature;
  }

  private void code() {
    int method = file.methods() + 2;
    for (int i = file.u2(file.methods()); i > 0; i--) {
      int attribute = method + 8;
      for (int j = file.u2(method + 6); j > 0; j--) {
        if (file.text(file.u2(attribute)).equals("Code")) {
          instructions(attribute + ClassBytes.ATTRIBUTE_HEADER + 4);
        }
        attribute = file.endOfAttribute(attribute);
      }
      method = file.endOfMember(method);
    }
  }

  /**
   * Replaces the operands of {@code new} in a method.
   *
   * @param length offset of the code's length, which the code follows
   */
  private void instructions(int length) {
    int start = length + 4;
    int end = start + file.u4(length);
    for (int at = start; at < end; at += Instructions.length(file, start, at)) {
      if (file.u1(at) == NEW && isReplaced(file.u2(at + 1))) {
        noteNew(file.u2(at + 1));
        patched.put(at + 1, replacement(file.u2(at + 1)));
      }
    }
  }

  private int replacement(int classConstant) {
    Integer known = classes.get(classConstant);
    if (known != null) {
      return known;
    }
    int replacement = patched.addClass(replaced[classConstant]);
    classes.put(classConstant, replacement);
    return replacement;
  }
}

package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Enum constants travel by name. */
@RunWith(SameProgram.class)
public class EnumsTest {

  enum Color {
    RED,
    GREEN,
    BLUE
  }

  enum Operation {
    PLUS {
      @Override
      int apply(int a, int b) {
        return a + b;
      }
    },
    MINUS {
      private final Object state = new Object();

      @Override
      int apply(int a, int b) {
        return a - b;
      }
    };

    abstract int apply(int a, int b);
  }

  enum Hooked {
    ONLY;

    private static final long serialVersionUID = 42;
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("count", int.class)
    };
    int count = 1;

    private void writeObject(ObjectOutputStream out) {
      event("never");
    }

    private void readObject(ObjectInputStream in) {
      event("never");
    }

    private Object writeReplace() {
      event("never");
      return "replaced";
    }

    private Object readResolve() {
      event("never");
      return "resolved";
    }
  }

  static class Holder implements Serializable {
    Color color = Color.GREEN;
    Enum<?> any = Operation.PLUS;
    Object object = Color.GREEN;
    Color none;
    Operation[] all = Operation.values();
  }

  @Test
  public void constantsAreTheSame() throws Exception {
    see("same", Wire.copy(Color.RED) == Color.RED);
    see("with body", Wire.copy(Operation.PLUS) == Operation.PLUS);
    see("holder", Wire.copy(new Holder()));
    see("applied", Wire.copy(Operation.MINUS).apply(5, 3));
  }

  @Test
  public void hooksAndStateAreIgnored() throws Exception {
    byte[] bytes = Wire.write(Hooked.ONLY);
    Hooked.ONLY.count = 2;
    see("same", Wire.read(bytes) == Hooked.ONLY);
    see("count", Hooked.ONLY.count);
  }

  @Test
  public void descriptionsHaveNoFieldsAndNoVersion() {
    ObjectStreamClass description = ObjectStreamClass.lookup(Hooked.class);
    see("uid", description.getSerialVersionUID());
    see("fields", description.getFields().length);
  }

  @Test
  public void enumsAsKeys() throws Exception {
    Map<Color, String> enumMap = new EnumMap<>(Map.of(Color.BLUE, "b", Color.RED, "r"));
    see("enum map", Wire.copy(enumMap));
    see("enum set", Wire.copy(EnumSet.of(Color.GREEN, Color.RED)));
    see("empty enum set", Wire.copy(EnumSet.noneOf(Operation.class)));
    see("complement", EnumSet.complementOf(Wire.copy(EnumSet.noneOf(Operation.class))));
    Map<Object, Object> hash = new HashMap<>(Map.of(Operation.PLUS, Operation.MINUS));
    see("hash", Wire.copy(hash).equals(hash));
    see("tree", Wire.copy(new TreeMap<>(Map.of(Color.BLUE, 1, Color.RED, 2))));
    see("added afterwards", put(Wire.copy(new EnumMap<>(Map.of(Color.GREEN, 1)))));
  }

  private static Map<Color, Integer> put(Map<Color, Integer> map) {
    map.put(Color.RED, 5);
    return map;
  }

  @Test
  public void enumClassesAreClasses() throws Exception {
    see("class", Wire.copy(Color.class) == Color.class);
    see("body", Wire.copy(Operation.PLUS.getClass()) == (Object) Operation.PLUS.getClass());
    see("description", Wire.copy(ObjectStreamClass.lookup(Color.class)).getName());
    see("empty array", Wire.copy(new Color[0]));
  }

  private static byte[] constantOf(String source, String expression) throws Exception {
    ClassLoader loader =
        Versions.loader(
            EnumsTest.class.getClassLoader(),
            source,
            "public class Maker { public static Object make() { return " + expression + "; } }");
    return Wire.write(loader.loadClass("Maker").getMethod("make").invoke(null), "after");
  }

  private static void evolve(String label, String before, String expression, String after)
      throws Exception {
    byte[] bytes = constantOf(before, expression);
    ClassLoader reader = Versions.loader(EnumsTest.class.getClassLoader(), after);
    attempt(
        label,
        () -> {
          try (ObjectInputStream in = Wire.open(bytes, reader)) {
            return new Object[] {in.readObject(), in.readObject()};
          }
        });
  }

  @Test
  public void unknownConstantsAreInvalid() throws Exception {
    evolve("gone", "enum E { A, B }", "E.B", "enum E { A, C }");
    evolve("moved", "enum E { A, B }", "E.B", "enum E { C, B, A }");
    evolve("with body now", "enum E { A, B }", "E.B", "enum E { A, B {} }");
    evolve("without body now", "enum E { A, B {} }", "E.B", "enum E { A, B }");
    evolve("inside an array", "enum E { A, B }", "new Object[] {1, E.B, 2}", "enum E { A }");
  }

  @Test
  public void enumsBecomeClassesAndBack() throws Exception {
    String plain =
        "class E implements java.io.Serializable { private static final long serialVersionUID = 0; }";
    evolve("enum to class", "enum E { A }", "E.A", plain);
    evolve("class to enum", plain, "new E()", "enum E { A }");
    evolve(
        "enum to record", "enum E { A }", "E.A", "record E() implements java.io.Serializable {}");
    evolve("array of an enum that became a class", "enum E { A }", "new E[2]", plain);
  }
}

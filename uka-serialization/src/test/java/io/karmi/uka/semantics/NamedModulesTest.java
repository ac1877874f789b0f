package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.NamedModules;
import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import org.junit.Test;
import org.junit.runner.RunWith;

/** A class that moves from the class path to a named module, or back, is the same class. */
@RunWith(SameProgram.class)
public class NamedModulesTest {

  private static final String HEAD = " implements java.io.Serializable { ";

  private static final String[] SOURCES = {
    "package moved; public class Shape extends Base"
        + HEAD
        + "private final int corners = 4; private Color color = Color.RED; Object me = this;"
        + "private Object[] parts = {new Size(1, \"two\"), new Hooked(), new External()};"
        + "public String toString() { return corners + \" \" + color + \" \" + (me == this)"
        + " + java.util.Arrays.toString(parts) + constructed; } }",
    "package moved; class Base { protected transient String constructed;"
        + " Base() { constructed = \"by constructor\"; } }",
    "package moved; enum Color { GREEN, RED { public String toString() { return \"red!\"; } } }",
    "package moved; record Size(int width, String height, double depth, Object again, Class<?> type,"
        + " Object none, Object[] more)"
        + HEAD
        + "Size(int width, String height) {"
        + " this(width, height, 1.5, height, Size.class, null, new Object[] {height, Shape.class}); }"
        + "public String toString() { return width + height + depth + (again == height) + type"
        + " + none + (more[0] == height) + more[1]; } }",
    "package moved; class Hooked"
        + HEAD
        + "int plain = 7; transient int hidden = 8;"
        + "private void writeObject(java.io.ObjectOutputStream out) throws Exception {"
        + " out.defaultWriteObject(); out.writeInt(hidden); }"
        + "private void readObject(java.io.ObjectInputStream in) throws Exception {"
        + " in.defaultReadObject(); hidden = in.readInt(); }"
        + "private Object readResolve() { plain++; return this; }"
        + "public String toString() { return plain + \"/\" + hidden; } }",
    "package moved; public class External implements java.io.Externalizable {"
        + "int number = 9; public External() {}"
        + "public void writeExternal(java.io.ObjectOutput out) throws java.io.IOException {"
        + " out.writeInt(number); }"
        + "public void readExternal(java.io.ObjectInput in) throws java.io.IOException {"
        + " number = in.readInt(); }"
        + "public String toString() { return \"external \" + number; } }",
  };

  private static ClassLoader onTheClassPath() {
    return Versions.loader(NamedModulesTest.class.getClassLoader(), SOURCES);
  }

  private static ClassLoader inAModule() {
    ClassLoader parent = NamedModulesTest.class.getClassLoader();
    return NamedModules.loader(parent, "module.of.shapes", "moved", SOURCES);
  }

  private static Object shape(ClassLoader classPath) throws Exception {
    return classPath.loadClass("moved.Shape").getDeclaredConstructor().newInstance();
  }

  private static void describe(String label, Object shape) {
    see(label + " in module", shape.getClass().getModule().getName());
    see(label, shape.toString());
  }

  @Test
  public void fromTheClassPathToAModuleAndBack() throws Exception {
    ClassLoader classPath = onTheClassPath();
    Object moved = Wire.read(Wire.write(shape(classPath)), inAModule());
    describe("moved", moved);
    describe("moved back", Wire.read(Wire.write(moved), classPath));
  }

  @Test
  public void betweenTwoModules() throws Exception {
    Object first = Wire.read(Wire.write(shape(onTheClassPath())), inAModule());
    ClassLoader other =
        NamedModules.loader(
            NamedModulesTest.class.getClassLoader(), "another.module", "moved", SOURCES);
    describe("other", Wire.read(Wire.write(first), other));
  }
}

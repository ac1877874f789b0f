package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Values that do not fit: when that is noticed, what has been assigned by then, what is named. */
@RunWith(SameProgram.class)
public class TypeErrorsTest {

  static final List<Object> seen = new ArrayList<>();

  static class Typed implements Serializable {
    int number = 1;
    String first = "first";
    Integer second = 2;
    List<String> third = new ArrayList<>(List.of("three"));
    int[] fourth = {4};

    Object self = new Leak(this);
  }

  /** Lets the unfinished object escape. */
  static class Leak implements Serializable {
    Typed owner;

    Leak(Typed owner) {
      this.owner = owner;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      seen.add(owner);
    }
  }

  static class Parent implements Serializable {
    String text = "parent text";
    Object leak;
  }

  static class Child extends Parent {
    Integer number = 5;
  }

  static class HookedChild extends Parent {
    Integer number = 6;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      event("child sees " + text);
      in.defaultReadObject();
    }
  }

  private static void wrong(String label, Object object, Object from, Object to) throws Exception {
    seen.clear();
    byte[] bytes = Wire.writeReplacing(object, from, to);
    attempt(label, () -> Wire.read(bytes));
    for (Object leaked : seen) {
      if (leaked instanceof Typed typed) {
        see("assigned", typed.number + typed.first + typed.second + typed.third + typed.fourth);
      }
    }
  }

  @Test
  public void mismatchIsNoticedBeforeAnyFieldIsAssigned() throws Exception {
    wrong("string", new Typed(), "first", 5);
    wrong("box", new Typed(), 2, "two");
    wrong("list", new Typed(), List.of("three"), "three");
    wrong("array of the wrong type", new Typed(), "first", new long[1]);
    wrong("fitting", new Typed(), "first", "other");
    wrong("null", new Typed(), "first", List.of());
  }

  @Test
  public void fieldOfASuperclassIsNamedByIt() throws Exception {
    wrong("parent", new Child(), "parent text", 5);
    wrong("child", new Child(), 5, "five");
    wrong("parent of a class with readObject", new HookedChild(), "parent text", 5);
    wrong("child with readObject", new HookedChild(), 6, "six");
  }

  @Test
  public void elementsOfArraysAreStores() throws Exception {
    wrong("string array", new String[] {"a", "b"}, "b", 5);
    wrong("object array", new Object[] {"a", "b"}, "b", 5);
    wrong("array of arrays", new int[][] {{1}, {2}}, "never", 5);
    wrong("array of lists", new List<?>[] {List.of("three")}, List.of("three"), "x");
  }

  /** Writes another object in its place. */
  static class StandIn implements Serializable {
    final Object written;

    StandIn(Object written) {
      this.written = written;
    }

    private Object writeReplace() {
      return written;
    }
  }

  static class Point implements Serializable {
    int x = 3;
  }

  @Test
  public void streamIsReadOnBehindAnElementOfAWrongType() throws Exception {
    for (Object written :
        new Object[] {"text", 5, new Point(), new ArrayList<>(), new int[1], Thread.State.NEW}) {
      String label = written.getClass().getSimpleName();
      StandIn last = new StandIn(written);
      byte[] bytes = Wire.write(new StandIn[] {null, last}, new Pair("a", 1), written, new Point());
      try (ObjectInputStream in = Wire.open(bytes)) {
        attempt(label, in::readObject);
        Object pair = attempt(label + ": next", in::readObject);
        see(label + ": next", pair instanceof Pair read ? read.text : pair);
        Object reference = attempt(label + ": element once more", in::readObject);
        see(label + ": element", reference == null ? null : reference.getClass());
        attempt(label + ": last", () -> ((Point) in.readObject()).x);
      }
    }
  }

  static class Fields implements Serializable {
    String text = "text";

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      text = "of class " + in.readFields().get("text", null).getClass();
    }
  }

  @Test
  public void readFieldsDoesNotMind() throws Exception {
    wrong("fields", new Fields(), "text", 5);
  }

  record Pair(String text, Integer number) implements Serializable {}

  @Test
  public void componentsOfRecordsAreChecked() throws Exception {
    wrong("record", new Pair("t", 1), "t", 5);
    wrong("second", new Pair("t", 1), 1, "one");
  }

  @Test
  public void castOfTheResultIsTheProgramsOwn() throws Exception {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(Wire.write("text")))) {
      attempt("cast", () -> (Integer) in.readObject());
    }
  }
}

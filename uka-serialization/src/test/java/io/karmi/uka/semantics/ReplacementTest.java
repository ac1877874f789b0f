package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/** {@code writeReplace} and {@code readResolve}. */
@RunWith(SameProgram.class)
public class ReplacementTest {

  static class Box implements Serializable {
    Object content;

    Box(Object content) {
      this.content = content;
    }
  }

  static class Replaced implements Serializable {
    String name;

    Replaced(String name) {
      this.name = name;
    }

    private Object writeReplace() {
      event("writeReplace " + name);
      return new Proxy(name);
    }
  }

  static class Proxy implements Serializable {
    String name;

    Proxy(String name) {
      this.name = name;
    }

    private Object readResolve() {
      event("readResolve " + name);
      return new Replaced(name + " resolved");
    }
  }

  static class Singleton implements Serializable {
    static final Singleton ONLY = new Singleton();

    private Object readResolve() {
      event("readResolve Singleton");
      return ONLY;
    }
  }

  static class ToNull implements Serializable {
    private Object writeReplace() {
      return null;
    }
  }

  static class FromNull implements Serializable {
    private Object readResolve() {
      return null;
    }
  }

  static class ToArray implements Serializable {
    private Object writeReplace() {
      return new Object[] {"replaced", 1};
    }
  }

  static class FromArray implements Serializable {
    private Object readResolve() {
      return new int[] {1, 2};
    }
  }

  static class ToNotSerializable implements Serializable {
    private Object writeReplace() {
      return new Object();
    }
  }

  static class NotSerializableReplaced {
    Object writeReplace() {
      return "never asked";
    }
  }

  static class First implements Serializable {
    Object writeReplace() {
      event("First");
      return new Second();
    }
  }

  static class Second implements Serializable {
    Object writeReplace() {
      event("Second");
      return new Third();
    }
  }

  static class Third implements Serializable {
    int calls;

    Object writeReplace() {
      event("Third");
      Third next = new Third();
      next.calls = calls + 1;
      return next;
    }
  }

  static class PingPong implements Serializable {
    boolean ping;
    int times;

    Object writeReplace() {
      event("PingPong " + times);
      PingPong next = times % 2 == 0 ? new Pong() : new PingPong();
      next.times = times + 1;
      return times > 4 ? this : next;
    }
  }

  static class Pong extends PingPong {}

  static class PrivateHooks implements Serializable {
    private Object writeReplace() {
      return "private of the parent";
    }

    private Object readResolve() {
      return "private of the parent";
    }
  }

  static class BelowPrivateHooks extends PrivateHooks {
    int own = 1;
  }

  static class ProtectedHooks implements Serializable {
    protected Object writeReplace() throws ObjectStreamException {
      event("inherited writeReplace");
      return this;
    }

    protected Object readResolve() throws ObjectStreamException {
      event("inherited readResolve");
      return this;
    }
  }

  static class BelowProtectedHooks extends ProtectedHooks {
    int own = 2;
  }

  static class OverridingHooks extends ProtectedHooks {
    @Override
    protected Object readResolve() {
      event("overriding readResolve");
      return "overridden";
    }
  }

  static class StaticHooks implements Serializable {
    static Object writeReplace() {
      return "static";
    }

    static Object readResolve() {
      return "static";
    }
  }

  abstract static class AbstractHook implements Serializable {
    abstract Object writeReplace();
  }

  static class ImplementedHook extends AbstractHook {
    @Override
    Object writeReplace() {
      return "implemented";
    }
  }

  interface DefaultHook extends Serializable {
    default Object writeReplace() {
      return "default method";
    }
  }

  static class ByDefaultHook implements DefaultHook {}

  static class Throwing implements Serializable {
    RuntimeException onWrite;
    String onRead;

    private Object writeReplace() throws ObjectStreamException {
      if (onWrite != null) {
        throw onWrite;
      }
      return this;
    }

    private Object readResolve() throws ObjectStreamException {
      if (onRead != null) {
        throw new InvalidObjectException(onRead);
      }
      return this;
    }
  }

  /** Parent and child see each other, one of them before it is resolved. */
  static class Cyclic implements Serializable {
    Object partner;
    String name;

    Cyclic(String name) {
      this.name = name;
    }

    private Object readResolve() {
      event("resolve " + name);
      Cyclic resolved = new Cyclic(name + "'");
      resolved.partner = partner;
      return resolved;
    }
  }

  @Test
  public void replacedAndResolved() throws Exception {
    Replaced one = new Replaced("one");
    see("copy", Wire.copy(new Box(new Object[] {one, one, new Replaced("two"), one})));
    see("singleton", Wire.copy(new Box(Singleton.ONLY)));
    see("same", Wire.copy(Singleton.ONLY) == Singleton.ONLY);
  }

  @Test
  public void replacedByNullArraysOrNothingSerializable() throws Exception {
    see("to null", Wire.copy(new Box(new ToNull())));
    see("from null", Wire.copy(new Object[] {new FromNull(), "x"}));
    see("from null at the top", Wire.read(Wire.write(new FromNull(), "after"), 2));
    ToArray toArray = new ToArray();
    see("to array", Wire.copy(new Object[] {toArray, toArray}));
    see("from array", Wire.copy(new Box(new FromArray())));
    Wire.tryToWrite("to object", new Box(new ToNotSerializable()));
    Wire.tryToWrite("replaced though not serializable", new NotSerializableReplaced());
  }

  @Test
  public void nullMayBeReferredToAgain() throws Exception {
    FromNull shared = new FromNull();
    ToNull toNull = new ToNull();
    see("null twice", Wire.copy(new Object[] {shared, shared, toNull, toNull, shared}));
  }

  @Test
  public void chainsEndWhereTheClassRepeats() throws Exception {
    see("chain", Wire.copy(new Box(new First())));
    PingPong start = new PingPong();
    see("ping pong", Wire.copy(start));
  }

  @Test
  public void scopeIsThatOfTheLanguage() throws Exception {
    see("private", Wire.copy((Object) new PrivateHooks()));
    see("below private", Wire.copy(new BelowPrivateHooks()));
    see("protected", Wire.copy(new BelowProtectedHooks()));
    see("overriding", Wire.copy((Object) new OverridingHooks()));
    see("static", Wire.copy((Object) new StaticHooks()));
    see("implemented", Wire.copy((Object) new ImplementedHook()));
    see("default", Wire.copy((Object) new ByDefaultHook()));
  }

  @Test
  public void exceptionsPassUnwrapped() throws Exception {
    Throwing writing = new Throwing();
    writing.onWrite = new IllegalStateException("while replacing");
    Wire.tryToWrite("write", new Box(writing));
    Throwing reading = new Throwing();
    reading.onRead = "while resolving";
    byte[] bytes = Wire.write(new Box(reading));
    attempt("read", () -> Wire.read(bytes));
  }

  @Test
  public void backReferencesBeforeResolutionSeeTheUnresolvedObject() throws Exception {
    Cyclic first = new Cyclic("first");
    Cyclic second = new Cyclic("second");
    first.partner = second;
    second.partner = first;
    see("cycle", Wire.copy(new Box(new Object[] {first, second, first})));
    List<Object> list = new ArrayList<>();
    Cyclic inList = new Cyclic("in list");
    inList.partner = list;
    list.add(inList);
    list.add(inList);
    Wire.copy(inList);
    see("list", Wire.copy(list).get(0) == Wire.copy(list).get(1));
  }

  @Test
  public void resolvedObjectOfTheWrongTypeIsRefused() throws Exception {
    byte[] bytes = Wire.write(new Typed());
    attempt("read", () -> Wire.read(bytes));
    byte[] array = Wire.write((Object) new FromArray[] {new FromArray()});
    attempt("array", () -> Wire.read(array));
  }

  static class Typed implements Serializable {
    int before = 1;
    FromArray field = new FromArray();
  }
}

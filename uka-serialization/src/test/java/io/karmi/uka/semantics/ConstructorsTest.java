package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.Serializable;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Which constructors run, and when the lack of one is reported. */
@RunWith(SameProgram.class)
public class ConstructorsTest {

  static class Plain {
    int set = 1;
    static int built;

    Plain() {
      event("Plain()");
      set = ++built;
    }
  }

  static class Middle extends Plain implements Serializable {
    int middle = 2;

    {
      event("Middle initialiser");
    }

    Middle() {
      event("Middle()");
    }
  }

  static class Lowest extends Middle {
    transient int lowest = 3;

    Lowest() {
      event("Lowest()");
    }
  }

  static class Protected {
    protected Protected() {
      event("Protected()");
    }
  }

  static class BelowProtected extends Protected implements Serializable {}

  static class Private {
    private Private() {
      event("Private()");
    }

    Private(int ignored) {}
  }

  static class BelowPrivate extends Private implements Serializable {
    BelowPrivate() {
      super(1);
    }
  }

  static class NoDefault {
    NoDefault(int ignored) {}
  }

  static class BelowNoDefault extends NoDefault implements Serializable {
    BelowNoDefault() {
      super(1);
    }
  }

  static class Holder implements Serializable {
    Object before = "before";
    Object bad = new BelowNoDefault();
  }

  static class Failing {
    static boolean fail;

    Failing() {
      if (fail) {
        throw new IllegalStateException("no more");
      }
    }
  }

  static class BelowFailing extends Failing implements Serializable {}

  static class FailingByError {
    static boolean fail;

    FailingByError() {
      if (fail) {
        throw new NoClassDefFoundError("some.Missing");
      }
    }
  }

  static class BelowFailingByError extends FailingByError implements Serializable {}

  static class FailingChecked {
    static boolean fail;

    FailingChecked() throws Exception {
      if (fail) {
        throw new Exception("checked");
      }
    }
  }

  static class BelowFailingChecked extends FailingChecked implements Serializable {
    BelowFailingChecked() throws Exception {}
  }

  abstract static class AbstractParent implements Serializable {
    int inAbstract = 4;

    AbstractParent() {
      event("AbstractParent()");
    }
  }

  static class BelowAbstract extends AbstractParent {
    int own = 5;
  }

  @Test
  public void onlyTheFirstNonSerializableConstructorRuns() throws Exception {
    Lowest object = new Lowest();
    event("-- copy");
    see("copy", Wire.copy(object));
    event("-- copies");
    see("copies", Wire.copy(new Lowest[] {object, new Lowest()}));
  }

  @Test
  public void constructorsOfAbstractSerializableClassesDoNotRun() throws Exception {
    AbstractParent object = new BelowAbstract();
    event("-- copy");
    see("copy", Wire.copy(object));
  }

  @Test
  public void protectedConstructorWillDo() throws Exception {
    see("copy", Wire.copy(new BelowProtected()));
  }

  @Test
  public void privateConstructorWillNot() throws Exception {
    byte[] bytes = Wire.tryToWrite("write", new BelowPrivate());
    attempt("read", () -> Wire.read(bytes));
  }

  @Test
  public void missingConstructorIsReportedOnReading() throws Exception {
    byte[] bytes = Wire.write(new BelowNoDefault());
    attempt("read", () -> Wire.read(bytes));
    byte[] inside = Wire.write(new Holder());
    attempt("read inside", () -> Wire.read(inside));
    byte[] array = Wire.write((Object) new BelowNoDefault[1]);
    attempt("an array of them is readable", () -> Wire.read(array));
  }

  @Test
  public void packagePrivateConstructorOfAnotherLoaderIsInaccessible() throws Exception {
    ClassLoader upper =
        Versions.loader(
            getClass().getClassLoader(),
            "public class Upper { Upper() {} public Upper(int i) {} }");
    ClassLoader lower =
        Versions.loader(
            upper,
            "public class Lower extends Upper implements java.io.Serializable {"
                + " public Lower() { super(1); } }",
            "class Upper { public Upper(int i) {} }");
    Object object = lower.loadClass("Lower").getConstructor().newInstance();
    byte[] bytes = Wire.write(object);
    attempt("read", () -> Wire.read(bytes, lower));
  }

  @Test
  public void exceptionsOfTheConstructorAreCauses() throws Exception {
    byte[] unchecked = Wire.write(new BelowFailing());
    byte[] error = Wire.write(new BelowFailingByError());
    byte[] checked = Wire.write(new BelowFailingChecked());
    Failing.fail = true;
    FailingByError.fail = true;
    FailingChecked.fail = true;
    attempt("unchecked", () -> Wire.read(unchecked));
    attempt("error", () -> Wire.read(error));
    attempt("checked", () -> Wire.read(checked));
  }

  @Test
  public void innerClassesCarryTheirOuterObject() throws Exception {
    Outer outer = new Outer();
    Outer.Inner inner = outer.new Inner();
    see("inner", Wire.copy(inner));
    see("anonymous", Wire.copy(outer.anonymous(5)));
    see("local", Wire.copy(outer.local("x")));
  }

  static class Outer implements Serializable {
    int number = 1;

    class Inner implements Serializable {
      int sum = number + 1;
    }

    Object anonymous(int captured) {
      return new Serializable() {
        int field = captured + number;
        private static final long serialVersionUID = 1;
      };
    }

    Object local(String captured) {
      class Local implements Serializable {
        String show() {
          return captured + number;
        }
      }
      return new Local();
    }
  }

  @Test
  public void outerObjectThatIsNotSerializableIsNamed() {
    attemptTo("write", () -> Wire.write(new NotSerializableOuter().inner()));
  }

  static class NotSerializableOuter {
    int number;

    Object inner() {
      return new Serializable() {
        int of = number;
      };
    }
  }
}

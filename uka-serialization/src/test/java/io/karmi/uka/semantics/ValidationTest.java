package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.attemptType;
import static io.karmi.uka.differential.Observed.attemptTypeTo;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Validation callbacks, and the methods of the streams that only hooks may call. */
@RunWith(SameProgram.class)
public class ValidationTest {

  static class Validated implements Serializable {
    String name;
    int priority;
    Object next;
    boolean valid = true;

    Validated(String name, int priority, Object next) {
      this.name = name;
      this.priority = priority;
      this.next = next;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.registerValidation(() -> validate("first"), priority);
      event("read " + name + " of priority " + priority);
      in.defaultReadObject();
      in.registerValidation(() -> validate("second"), priority);
      in.registerValidation(() -> validate("low"), -100);
    }

    private void validate(String which) throws InvalidObjectException {
      event(which + " of " + name + " next " + (next != null));
      if (!valid) {
        throw new InvalidObjectException(name + " is invalid");
      }
    }
  }

  @Test
  public void callbacksRunByPriorityAfterTheWholeGraph() throws Exception {
    Validated last = new Validated("last", 5, null);
    Validated graph =
        new Validated(
            "top",
            1,
            new Object[] {
              new Validated("middle", 10, last), last, new Validated("equal", 5, last)
            });
    byte[] bytes = Wire.write(graph, "between", new Validated("other", 3, null));
    try (ObjectInputStream in = Wire.open(bytes)) {
      in.readObject();
      event("-- first is read");
      in.readObject();
      in.readObject();
    }
  }

  @Test
  public void registeredPriorityIsTheOneGiven() throws Exception {
    Wire.copy(new Registering());
  }

  static class Registering implements Serializable {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      for (int priority : new int[] {0, 7, -3, Integer.MAX_VALUE, 7, Integer.MIN_VALUE}) {
        in.registerValidation(() -> event("validate " + priority), priority);
      }
      attemptTo("null", () -> in.registerValidation(null, 1));
    }
  }

  @Test
  public void failedValidationFailsTheRead() throws Exception {
    Validated bad = new Validated("bad", 1, null);
    bad.valid = false;
    byte[] bytes =
        Wire.write(
            new Object[] {bad, new Validated("good", 0, null)},
            "after",
            new Validated("next", 0, null));
    try (ObjectInputStream in = Wire.open(bytes)) {
      attempt("refused", in::readObject);
      attempt("after", in::readObject);
      attempt("next", in::readObject);
    }
  }

  @Test
  public void registrationOutsideAHookIsRefused() throws Exception {
    try (ObjectInputStream in = Wire.open(Wire.write("x"))) {
      attemptTo("before", () -> in.registerValidation(() -> event("never"), 0));
      in.readObject();
      attemptTo("after", () -> in.registerValidation(() -> event("never"), 0));
    }
  }

  @Test
  public void validatorsThatThrowOtherwise() throws Exception {
    byte[] bytes = Wire.write(new ThrowingInValidation());
    attempt("runtime exception", () -> Wire.read(bytes));
  }

  static class Stealthy implements Serializable {
    static Throwable thrown;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.registerValidation(() -> Stealthy.<RuntimeException>sneak(thrown), 1);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
      throw (X) thrown;
    }
  }

  @Test
  public void whatAValidatorThrowsByStealthAndWhetherItIsCalledAgain() throws Exception {
    byte[] bytes = Wire.write(new Stealthy(), "after", "later");
    for (Throwable thrown :
        new Throwable[] {
          new IOException("checked"),
          new ClassNotFoundException("missing"),
          new Exception("any"),
          new InvalidObjectException("refused"),
          new IllegalStateException("unchecked"),
          new StackOverflowError(),
          new OutOfMemoryError()
        }) {
      Stealthy.thrown = thrown;
      try (ObjectInputStream in = Wire.open(bytes)) {
        attempt("object", () -> in.readObject().getClass());
        attempt("after", in::readObject);
        attempt("later", in::readObject);
      }
    }
  }

  static class ThrowingInValidation implements Serializable {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      in.registerValidation(
          () -> {
            throw new IllegalStateException("in validation");
          },
          1);
      in.registerValidation(() -> event("after it"), 0);
    }
  }

  @Test
  public void fieldMethodsOutsideHooksAreRefused() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              attemptTo("defaultWriteObject", out::defaultWriteObject);
              attempt("putFields", out::putFields);
              attemptTo("writeFields", out::writeFields);
              out.writeObject("x");
              attemptTo("defaultWriteObject", out::defaultWriteObject);
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      attemptTo("defaultReadObject", in::defaultReadObject);
      attempt("readFields", in::readFields);
      see("x", in.readObject());
      attemptTo("defaultReadObject", in::defaultReadObject);
    }
  }

  static class Twice implements Serializable {
    int number = 1;
    String text = "t";

    private void writeObject(ObjectOutputStream out) throws IOException {
      attemptTo("writeFields without putFields", out::writeFields);
      ObjectOutputStream.PutField fields = out.putFields();
      see("same", fields == out.putFields());
      fields.put("number", 5);
      out.writeFields();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      attemptType(
          "second default read",
          () -> {
            in.defaultReadObject();
            return "done";
          });
      attemptType("then fields", in::readFields);
    }
  }

  @Test
  public void fieldsAreReadOnce() throws Exception {
    see("copy", Wire.copy(new Twice()));
  }

  static class FieldsTwice implements Serializable {
    int number = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      see("number", in.readFields().get("number", 0));
      attemptType("second", () -> in.readFields().get("number", 0));
    }
  }

  @Test
  public void readFieldsTwiceIsRefused() throws Exception {
    see("copy", Wire.copy(new FieldsTwice()));
  }

  static class WritesTwice implements Serializable {
    int number = 3;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      number++;
      attemptTo("again", out::defaultWriteObject);
    }
  }

  @Test
  public void writingTheFieldsTwiceWritesThemTwice() {
    Wire.tryToWrite("write", new WritesTwice());
  }

  static class Nesting implements Serializable {
    Object inner;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject("before");
      out.defaultWriteObject();
      out.writeObject(inner == null ? null : new Validated("nested", 1, null));
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      see("before", in.readObject());
      in.defaultReadObject();
      see("after", in.readObject());
      attemptTypeTo("context is still ours", in::readFields);
    }
  }

  @Test
  public void contextReturnsAfterNestedHooks() throws Exception {
    Nesting outer = new Nesting();
    outer.inner = new Nesting();
    see("copy", Wire.copy(outer));
  }
}

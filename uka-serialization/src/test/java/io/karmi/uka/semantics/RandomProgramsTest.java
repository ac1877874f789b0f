package io.karmi.uka.semantics;

import io.karmi.uka.differential.Observed;
import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OptionalDataException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Programs made at random, of classes made at random: what no other program of this package has
 * thought of. The same ones each time, unless {@code -Drandom.programs=FIRST+COUNT} says which.
 *
 * <p>An observation begins with the number of its program, which makes it again.
 */
@RunWith(SameProgram.class)
public class RandomProgramsTest {
  private static final int PROGRAMS_PER_CLASSES = 8;

  /** As graphs are deeper than the JDK's streams manage on the default stack. */
  private static final long STACK_BYTES = 1L << 30;

  /** Notes what it may replace, and replaces some. */
  static class ReplacingOutput extends ObjectOutputStream {
    ReplacingOutput(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      RandomHooks.note("replace " + RandomHooks.nameOf(object.getClass()));
      return object instanceof Integer number && number % 10 == 0 ? "ten times" : object;
    }
  }

  /** Adds something to each class. */
  static class AnnotatingOutput extends ObjectOutputStream {
    AnnotatingOutput(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      RandomHooks.note("annotate " + type.getName());
      writeInt(type.getName().length());
      writeObject(type.getName().length() % 3 == 0 ? "annotation" : null);
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
      writeUTF("proxy");
    }
  }

  /** The counterpart of both. */
  static class OverridingInput extends ObjectInputStream {
    private final ClassLoader loader;
    private final boolean annotated;

    OverridingInput(InputStream in, ClassLoader loader, boolean annotated) throws IOException {
      super(in);
      this.loader = loader;
      this.annotated = annotated;
      enableResolveObject(!annotated);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass type)
        throws IOException, ClassNotFoundException {
      if (annotated) {
        RandomHooks.note("annotated " + type.getName() + " " + readInt() + " " + readObject());
      }
      return Class.forName(type.getName(), false, loader);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] faces)
        throws IOException, ClassNotFoundException {
      if (annotated) {
        RandomHooks.note("proxy annotated " + readUTF());
      }
      return super.resolveProxyClass(faces);
    }

    @Override
    protected Object resolveObject(Object object) {
      RandomHooks.note("resolve " + RandomHooks.nameOf(object.getClass()));
      return object instanceof Long number && number % 10 == 0 ? Long.valueOf(number + 1) : object;
    }
  }

  private enum Act {
    OBJECT,
    AGAIN,
    UNSHARED,
    PRIMITIVES,
    RESET,
    FLUSH
  }

  /** One program: what it writes, and reads with the same classes or other versions of them. */
  private static final class Program {
    private final int number;
    private final Random random;
    private final ClassLoader writing;
    private final ClassLoader reading;
    private final RandomObjects objects;
    private final int style;
    private final List<Act> written = new ArrayList<>();
    private boolean ended;

    Program(int number, boolean evolving) throws ReflectiveOperationException {
      this.number = number;
      random = new Random(number * 1_000_003L);
      int family = number / PROGRAMS_PER_CLASSES;
      RandomClasses classes = new RandomClasses(new Random(family * 7919L), evolving);
      ClassLoader parent = RandomProgramsTest.class.getClassLoader();
      writing = loader(parent, classes.sources());
      reading = evolving ? loader(parent, classes.evolvedSources()) : writing;
      List<Class<?>> loaded = new ArrayList<>();
      for (String name : classes.names()) {
        loaded.add(Class.forName(name, true, writing));
      }
      style = random.nextInt(5);
      /* An exception of the stream's is written, with its stack trace, and shown to the program. */
      objects = new RandomObjects(random, loaded, style != 0 && random.nextInt(100) < 8);
    }

    private static ClassLoader loader(ClassLoader parent, List<String> sources) {
      return Versions.loader(parent, sources.toArray(new String[0]));
    }

    private int failingCall(int percent) {
      return random.nextInt(100) < percent ? 1 + random.nextInt(40) : 0;
    }

    void run() throws Exception {
      Observed.event("program " + number);
      int writeFailure = failingCall(8);
      int readFailure = failingCall(8);
      int kind = random.nextInt(5);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      RandomHooks.listen(number + " writes", writeFailure, kind);
      try (ObjectOutputStream out = open(bytes)) {
        for (int i = 1 + random.nextInt(7); i > 0 && !ended; i--) {
          write(out, Act.values()[random.nextInt(Act.values().length)]);
        }
      }
      RandomHooks.pause();
      Observed.bytes(number + " wrote", bytes.toByteArray());
      RandomHooks.listen(number + " reads", readFailure, kind);
      read(bytes.toByteArray());
      RandomHooks.pause();
    }

    private ObjectOutputStream open(OutputStream out) throws IOException {
      switch (style) {
        case 0:
          return new ReplacingOutput(out);
        case 1:
          return new AnnotatingOutput(out);
        default:
          return new ObjectOutputStream(out);
      }
    }

    /** Makes an object, of which nothing is noted. */
    private Object object(Act act) throws ReflectiveOperationException {
      RandomHooks.pause();
      Object object =
          act == Act.AGAIN
              ? objects.again()
              : objects.graph(act == Act.UNSHARED ? 1 + random.nextInt(3) : depth());
      RandomHooks.resume();
      return object;
    }

    private void write(ObjectOutputStream out, Act act) throws Exception {
      switch (act) {
        case OBJECT:
        case AGAIN:
        case UNSHARED:
          writeObject(out, object(act), act == Act.UNSHARED);
          break;
        case PRIMITIVES:
          out.writeInt(random.nextInt());
          out.writeUTF("between");
          out.write(new byte[random.nextInt(2500)]);
          written.add(act);
          break;
        case RESET:
          out.reset();
          break;
        default:
          out.flush();
          break;
      }
    }

    private int depth() {
      int kind = random.nextInt(100);
      return kind < 70
          ? 1 + random.nextInt(5)
          : kind < 90 ? 5 + random.nextInt(300) : kind < 97 ? 300 : random.nextInt(5000);
    }

    private void writeObject(ObjectOutputStream out, Object object, boolean unshared) {
      written.add(unshared ? Act.UNSHARED : Act.OBJECT);
      RandomHooks.note("object");
      try {
        if (unshared) {
          out.writeUnshared(object);
        } else {
          out.writeObject(object);
        }
      } catch (Throwable e) {
        note("writing", e);
        /* What a reader takes the rest for, in the middle of fields, depends on the format. */
        written.remove(written.size() - 1);
        ended = true;
      }
    }

    private void note(String doing, Throwable failure) {
      Observed.attemptTo(
          number + " " + doing,
          () -> {
            if (failure instanceof Exception e) {
              throw e;
            }
            throw (Error) failure;
          });
    }

    private ObjectInputStream openInput(RandomHooks.Caller caller, InputStream in)
        throws IOException {
      return style < 2 ? new OverridingInput(in, reading, style == 1) : caller.open(in);
    }

    private void read(byte[] bytes) throws Exception {
      RandomHooks.Caller caller =
          (RandomHooks.Caller) reading.loadClass("Caller").getDeclaredConstructor().newInstance();
      List<Object> all = new ArrayList<>();
      try (ObjectInputStream in = openInput(caller, new ByteArrayInputStream(bytes))) {
        for (Act act : written) {
          read(in, act, caller, all);
        }
      } catch (Throwable e) {
        note("reading", e);
      }
      Observed.see(number + " read", all);
    }

    private void read(ObjectInputStream in, Act act, RandomHooks.Caller caller, List<Object> all)
        throws IOException, ClassNotFoundException {
      switch (act) {
        case PRIMITIVES:
          readPrimitives(in, caller);
          break;
        case UNSHARED:
          all.add(caller.readUnshared(in));
          break;
        default:
          try {
            all.add(caller.read(in));
          } catch (ClassNotFoundException e) {
            note("reading", e);
          }
          break;
      }
    }

    private void readPrimitives(ObjectInputStream in, RandomHooks.Caller caller)
        throws IOException, ClassNotFoundException {
      RandomHooks.note("available " + in.available());
      RandomHooks.note("int " + in.readInt());
      if (random.nextBoolean()) {
        try {
          caller.read(in);
        } catch (OptionalDataException e) {
          RandomHooks.failed("optional", e);
        }
      }
      RandomHooks.note(in.readUTF());
      while (in.available() > 0) {
        int length = 1 + random.nextInt(700);
        RandomHooks.note(
            random.nextBoolean()
                ? "skipped " + in.skipBytes(length)
                : "read " + in.read(new byte[length]));
      }
    }
  }

  @Test
  public void sameClassesAtBothEnds() throws Exception {
    runPrograms(false);
  }

  @Test
  public void otherVersionsOfTheClassesAtTheReader() throws Exception {
    runPrograms(true);
  }

  private static void runPrograms(boolean evolving) throws Exception {
    int[] which =
        Arrays.stream(System.getProperty("random.programs", "0+32").split("\\+"))
            .mapToInt(Integer::parseInt)
            .toArray();
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              for (int i = 0; i < which[1]; i++) {
                new Program(which[0] + i, evolving).run();
              }
              return null;
            });
    new Thread(null, task, "random programs", STACK_BYTES).start();
    task.get();
  }
}

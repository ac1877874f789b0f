package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Classes that are loaded where stack or heap end: the program sees no errors but those of the JVM,
 * such a class works, rewired or not, and later ones are rewired.
 */
public class ShortOfStackTest {
  @ClassRule public static final TemporaryFolder SHARED = new TemporaryFolder();

  private static final String MAKER =
      """
      package app;
      public class Maker extends Base implements java.io.Serializable {
        private int number;
        public static String make() throws Exception {
          return new java.io.ObjectOutputStream(java.io.OutputStream.nullOutputStream())
              .getClass().getSimpleName();
        }
      }
      """;
  private static final String BASE =
      "package app; public class Base implements java.io.Serializable { protected int above; }";

  /** Defines the class from its bytes. */
  private static final String ONE =
      """
      package app;
      public class One extends ClassLoader {
        private static final byte[] MAKER = read();
        public One() { super(One.class.getClassLoader()); }
        static byte[] read() {
          try (var in = One.class.getResourceAsStream("/app/Maker.class")) {
            return in.readAllBytes();
          } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
          }
        }
        Class<?> define() {
          Class<?> known = findLoadedClass("app.Maker");
          return known != null ? known : defineClass("app.Maker", MAKER, 0, MAKER.length);
        }
        String make() throws Exception {
          return define().getMethod("make").invoke(null).toString();
        }
      }
      """;

  private static final String DEEP =
      """
      package app;
      import java.util.*;
      public class Deep {
        static int most;
        static void measure() { most++; measure(); }
        static void go(int depth, One loader) {
          if (depth == 0) { loader.define(); } else { go(depth - 1, loader); }
        }
        static void inThread(Runnable task) throws Exception {
          Thread thread = new Thread(null, task, "deep", 512 << 10);
          thread.start();
          thread.join();
        }
        public static void main(String[] args) throws Exception {
          new One().make();
          inThread(() -> { try { measure(); } catch (StackOverflowError e) { } });
          Set<String> ends = new TreeSet<>();
          for (int depth = most - 800; depth < most + 40; depth += 3) {
            int wanted = depth;
            One loader = new One();
            String[] end = {"defined"};
            inThread(() -> {
              try { go(wanted, loader); } catch (StackOverflowError e) { end[0] = "overflows"; }
            });
            ends.add(end[0] + ", in the end " + loader.make());
          }
          ends.forEach(System.out::println);
          System.out.println("later " + new One().make());
        }
      }
      """;

  private static final String FULL =
      """
      package app;
      import java.util.*;
      public class Full {
        static void define(One loader) {
          try {
            if (loader == null) { throw new LinkageError(); }
            loader.define();
          } catch (OutOfMemoryError | LinkageError e) { }
        }
        public static void main(String[] args) throws Exception {
          new One().make();
          Object[] hold = new Object[100_000];
          define(null); // here and below: what is needed later is loaded while there is memory
          Arrays.fill(hold, null);
          One[] loaders = new One[50];
          for (int i = 0; i < loaders.length; i++) { loaders[i] = new One(); }
          for (int i = 0; i < loaders.length; i++) {
            int held = 0;
            for (int size = 1 << 20; size >= 1024; size /= 4) {
              try {
                while (true) { hold[held++] = new byte[size]; }
              } catch (OutOfMemoryError e) {
                held--;
              }
            }
            for (int free = i * 8; free > 0 && held > 0; free--) { hold[--held] = null; }
            define(loaders[i]);
            Arrays.fill(hold, null);
          }
          Set<String> ends = new TreeSet<>();
          for (One loader : loaders) { ends.add(loader.make()); }
          System.out.println(ends);
          System.out.println("later " + new One().make());
        }
      }
      """;

  private static final String LATER = "later RewiredObjectOutputStream";

  private static Path karmi;
  private static Path classes;

  @BeforeClass
  public static void compile() throws Exception {
    Path root = SHARED.getRoot().toPath();
    karmi = Jars.karmi(root);
    classes = Sources.compile(root.resolve("classes"), List.of(), MAKER, BASE, ONE, DEEP, FULL);
  }

  private static Jvm.Result run(String options, Object... arguments) throws Exception {
    Object[] all = new Object[arguments.length + 3];
    all[0] = "-javaagent:" + karmi + options;
    all[1] = "-cp";
    all[2] = classes;
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return Jvm.java(all);
  }

  private static void assertAllWork(Jvm.Result result) {
    List<String> lines = result.out().lines().toList();
    assertThat(lines).as(result.err()).hasSizeGreaterThan(1).endsWith(LATER);
    assertThat(lines.subList(0, lines.size() - 1))
        .allMatch(
            line -> line.matches("(defined|overflows), in the end (Rewired)?ObjectOutputStream"));
  }

  @Test
  public void aClassThatIsLoadedNearTheEndOfTheStackWorksAndLaterOnesAreRewired() throws Exception {
    for (String options : List.of("", "=weave")) {
      assertAllWork(run(options, "app.Deep"));
    }
  }

  @Test
  public void soItIsInterpretedWhereItsFramesAreLargest() throws Exception {
    assertAllWork(Jvm.java("-Xint", "-javaagent:" + karmi + "=weave", "-cp", classes, "app.Deep"));
  }

  @Test
  public void aClassThatIsLoadedWhenTheHeapIsFullWorksAndLaterOnesAreRewired() throws Exception {
    Jvm.Result result =
        Jvm.java("-Xmx24m", "-XX:+UseSerialGC", "-javaagent:" + karmi, "-cp", classes, "app.Full");
    assertThat(result.out().lines()).as(result.err()).hasSize(2).endsWith(LATER);
  }
}

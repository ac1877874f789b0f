package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** A stack that ends in the first use of the library does no harm to later uses. */
public class FirstUseTest {
  @Test
  public void laterUsesWorkWhereverTheStackEndedInTheFirst() throws Exception {
    String java =
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    Process process =
        new ProcessBuilder(
                java,
                "-Xint",
                "-cp",
                System.getProperty("java.class.path"),
                NearTheEnd.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    assertThat(said).contains("overflowed").doesNotContain("NoClassDefFoundError");
  }

  /** Uses a library of its own for each depth of the stack. */
  public static final class NearTheEnd {
    private static final long STACK_BYTES = 512 << 10;
    private static final int FRAMES_BEFORE_THE_END = 700;
    private static final int STEP = 12;

    private int overflowed;

    public static void main(String[] args) throws Exception {
      NearTheEnd all = new NearTheEnd();
      int deepest = all.deepest();
      for (int depth = deepest; depth > deepest - FRAMES_BEFORE_THE_END; depth -= STEP) {
        all.use(depth);
      }
      System.out.println("overflowed: " + all.overflowed);
      System.exit(all.overflowed > 0 ? 0 : 2);
    }

    private int deepest() throws InterruptedException {
      int[] deepest = new int[1];
      inThread(() -> deepest[0] = depthOfStack());
      return deepest[0];
    }

    private static void inThread(Runnable task) throws InterruptedException {
      Thread thread = new Thread(null, task, "near the end", STACK_BYTES);
      thread.start();
      thread.join();
    }

    private static int depthOfStack() {
      int[] depth = new int[1];
      try {
        descend(Integer.MAX_VALUE, () -> {}, depth);
      } catch (StackOverflowError e) {
        return depth[0];
      }
      return 0;
    }

    private static void descend(int frames, Runnable task, int[] depth) {
      depth[0]++;
      if (frames == 0) {
        task.run();
      } else {
        descend(frames - 1, task, depth);
      }
    }

    private void use(int depth) throws Exception {
      try (URLClassLoader library = library()) {
        Use use = new Use(library);
        inThread(
            () -> {
              try {
                descend(depth, use, new int[1]);
              } catch (StackOverflowError e) {
                overflowed++;
              } catch (NoClassDefFoundError e) {
                /* The first use may end in any way; what counts is the next one. */
              }
            });
        use.failure = null;
        inThread(use);
        if (use.failure != null) {
          throw new AssertionError("after a first use at depth " + depth, use.failure);
        }
      }
    }

    private static URLClassLoader library() throws Exception {
      List<URL> path = new ArrayList<>();
      for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
        path.add(new File(each).toURI().toURL());
      }
      return new URLClassLoader(path.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }
  }

  /** Writes and reads a few objects. */
  private static final class Use implements Runnable {
    private final Constructor<?> output;
    private final Constructor<?> input;
    Throwable failure;

    Use(ClassLoader library) throws Exception {
      output =
          Class.forName("io.karmi.uka.UkaObjectOutputStream", false, library)
              .getConstructor(OutputStream.class);
      input =
          Class.forName("io.karmi.uka.UkaObjectInputStream", false, library)
              .getConstructor(java.io.InputStream.class);
    }

    @Override
    public void run() {
      try {
        Object value = new ArrayList<>(List.of(1, "text", new HashMap<>(Map.of("key", 2L))));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = (ObjectOutputStream) output.newInstance(bytes)) {
          out.writeObject(value);
        }
        Object read;
        try (ObjectInputStream in =
            (ObjectInputStream) input.newInstance(new ByteArrayInputStream(bytes.toByteArray()))) {
          read = in.readObject();
        }
        if (!value.equals(read)) {
          failure = new AssertionError("read " + read);
        }
      } catch (StackOverflowError e) {
        throw e;
      } catch (Throwable e) {
        failure = e;
        if (e.getCause() instanceof StackOverflowError overflow) {
          throw overflow;
        }
      }
    }
  }
}

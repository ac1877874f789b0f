package io.karmi.uka.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.runner.Description;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.ParentRunner;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.Statement;
import org.junit.runners.model.TestClass;

/**
 * Runs each test method as a program of its own in every {@link World}, and compares what it
 * observed with the JDK's.
 *
 * <p>In the JDK's own world a method runs twice: a program that is not deterministic is no oracle.
 * Each run has fresh classes, so static state starts anew, and a thread of its own with a deadline,
 * so that a reader that waits forever fails one test only.
 */
public final class SameProgram extends ParentRunner<SameProgram.Run> {

  /** One method in one world. */
  record Run(FrameworkMethod method, World world) {}

  private static final long DEADLINE_SECONDS = 60;

  private final Map<String, Observed> expected = new HashMap<>();
  private final List<Run> runs;

  public SameProgram(Class<?> program) throws InitializationError {
    this(program, World.OTHERS);
  }

  SameProgram(Class<?> program, List<World> others) throws InitializationError {
    super(program);
    runs = runsOf(getTestClass(), others);
  }

  private static List<Run> runsOf(TestClass program, List<World> others) {
    List<Run> runs = new ArrayList<>();
    for (FrameworkMethod method : program.getAnnotatedMethods(org.junit.Test.class)) {
      if (!Weaver.isThere() && !World.isOursAlone()) {
        runs.add(new Run(method, World.JDK));
      }
      for (World world : others) {
        runs.add(new Run(method, world));
      }
    }
    return runs;
  }

  @Override
  protected List<Run> getChildren() {
    return runs;
  }

  @Override
  protected Description describeChild(Run run) {
    return Description.createTestDescription(
        getTestClass().getJavaClass(), run.method().getName() + "[" + run.world().name() + "]");
  }

  @Override
  protected void runChild(Run run, RunNotifier notifier) {
    runLeaf(
        new Statement() {
          @Override
          public void evaluate() throws Throwable {
            compare(run);
          }
        },
        describeChild(run),
        notifier);
  }

  private void compare(Run run) throws Throwable {
    Observed jdk = expected.get(run.method().getName());
    if (jdk == null) {
      jdk = execute(run.method(), World.JDK);
      expected.put(run.method().getName(), jdk);
    }
    Observed ours = execute(run.method(), run.world());
    assertThat(jdk.events()).as("observations of the JDK's streams").isNotEmpty();
    assertThat(difference(jdk.events(), ours.events())).as("observations").isEmpty();
    if (run.world().jdkFormat()) {
      assertThat(difference(jdk.bytes(), ours.bytes())).as("bytes").isEmpty();
    }
  }

  /** The first observations that differ; a whole program's would bury them. */
  private static String difference(List<String> jdk, List<String> ours) {
    int same = 0;
    while (same < jdk.size() && same < ours.size() && jdk.get(same).equals(ours.get(same))) {
      same++;
    }
    return same == jdk.size() && same == ours.size()
        ? ""
        : "after "
            + next(jdk, same - 1)
            + "\nthe JDK's: "
            + next(jdk, same)
            + "\nours:      "
            + next(ours, same);
  }

  private static String next(List<String> observed, int index) {
    return index >= 0 && index < observed.size() ? observed.get(index) : "nothing";
  }

  private Observed execute(FrameworkMethod method, World world) throws Throwable {
    Class<?> original = getTestClass().getJavaClass();
    ClassLoader loader =
        new RewiringLoader(world, original.getClassLoader(), original.getPackageName() + ".");
    FutureTask<Observed> task =
        new FutureTask<>(
            () -> {
              Object program =
                  loader.loadClass(original.getName()).getDeclaredConstructor().newInstance();
              return Observed.run(world, () -> invoke(program, method.getName()));
            });
    Thread thread = new Thread(task, method.getName() + "[" + world.name() + "]");
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    thread.start();
    return resultOf(task, thread);
  }

  private static void invoke(Object program, String method) throws Exception {
    program.getClass().getMethod(method).invoke(program);
  }

  private static Observed resultOf(FutureTask<Observed> task, Thread thread) throws Throwable {
    try {
      return task.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof InvocationTargetException ? cause.getCause() : cause;
    } catch (TimeoutException e) {
      AssertionError hang = new AssertionError("no end after " + DEADLINE_SECONDS + " s");
      hang.setStackTrace(thread.getStackTrace());
      throw hang;
    }
  }
}

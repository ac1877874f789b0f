package io.karmi.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.RunnerScheduler;

/**
 * Runner of a class whose tests mostly wait, and share nothing: some of them run at a time, each
 * with an instance of its own as ever.
 */
public final class SideBySide extends BlockJUnit4ClassRunner {
  private static final int AT_A_TIME = 4;

  /** Called by JUnit. */
  public SideBySide(Class<?> type) throws InitializationError {
    super(type);
    setScheduler(new Threads());
  }

  private static final class Threads implements RunnerScheduler {
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
    private final List<Future<?>> tests = new ArrayList<>();

    @Override
    public void schedule(Runnable test) {
      tests.add(threads.submit(test));
    }

    @Override
    public void finished() {
      threads.shutdown();
      try {
        for (Future<?> each : tests) {
          each.get();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException e) {
        throw new AssertionError("JUnit has failed, not the test", e.getCause());
      }
    }
  }
}

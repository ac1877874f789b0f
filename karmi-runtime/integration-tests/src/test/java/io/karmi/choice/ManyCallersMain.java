package io.karmi.choice;

import io.karmi.rmi.LocateRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Joins a meeting by many threads at once. */
public final class ManyCallersMain {
  private ManyCallersMain() {}

  /** Takes the port of the registry and the number of threads. */
  public static void main(String[] arguments) throws Exception {
    Meeting meeting =
        (Meeting)
            LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(arguments[0]))
                .lookup("meeting");
    int count = Integer.parseInt(arguments[1]);
    List<Callable<Void>> callers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      callers.add(
          () -> {
            meeting.join();
            return null;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      for (Future<Void> each : threads.invokeAll(callers)) {
        each.get();
      }
      System.out.println("all met");
    } catch (ExecutionException e) {
      System.out.println("failed " + e.getCause());
    } finally {
      threads.shutdown();
    }
  }
}

package io.karmi.dgc;

import io.karmi.technology.ServiceThread;
import io.karmi.technology.Workers;
import java.util.concurrent.Executor;

/** The runtime's threads for a collector that is tested by itself. */
public final class OwnThreads implements Background {
  /** Makes them. */
  public OwnThreads() {}

  @Override
  public Service service(String name, Waiting waiting, Round round) {
    ServiceThread thread = new ServiceThread(name, true, waiting::await, round::run);
    return new Service() {
      @Override
      public void ensureRunning() {
        thread.ensureRunning();
      }

      @Override
      public void stop() {
        thread.stop();
      }
    };
  }

  @Override
  public Executor workers(String name, int most) {
    return new Workers(name, most)::execute;
  }
}

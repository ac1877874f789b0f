package io.karmi.reference;

import io.karmi.dgc.Background;
import io.karmi.technology.ServiceThread;
import io.karmi.technology.Workers;
import java.util.concurrent.Executor;

/** Threads of the collectors, made by the runtime. */
final class CollectorThreads implements Background {
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

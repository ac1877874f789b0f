package io.karmi.engines.flink;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.engines.Contestant;
import io.karmi.engines.Service;
import io.karmi.engines.Sizes;
import java.util.List;

/** Flink in a JVM with one serializer: {@code FlinkWorker CONTESTANT SIZES}. */
public final class FlinkWorker {
  private FlinkWorker() {}

  /** The program. */
  public static void main(String[] args) throws Exception {
    Orders orders = Orders.make(Sizes.parse(args[1]).orders());
    FlinkSettings settings = FlinkSettings.of(Contestant.valueOf(args[0]));
    StateWorkload state = new StateWorkload(orders, settings);
    NetworkWorkload network = new NetworkWorkload(orders, settings);
    try {
      Service.serve(name -> run(name, state, network));
    } finally {
      network.stop();
    }
    System.exit(0); // threads of the cluster may outlive it
  }

  private static List<Measurement> run(String name, StateWorkload state, NetworkWorkload network)
      throws Exception {
    return switch (name) {
      case "flink-state" -> state.run();
      case "flink-network" -> network.run();
      default -> throw new IllegalArgumentException("no workload " + name);
    };
  }
}

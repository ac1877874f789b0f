package io.karmi.flink;

import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.runtime.entrypoint.ClusterEntrypoint;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;

/**
 * Flink's job manager, which also prints the ports that it got: {@code JobManagerMain DIRECTORY},
 * that of {@code config.yaml}.
 */
public final class JobManagerMain {
  private JobManagerMain() {}

  /** The program. */
  public static void main(String[] args) throws Exception {
    ClusterEntrypoint cluster =
        new StandaloneSessionClusterEntrypoint(GlobalConfiguration.loadConfiguration(args[0]));
    cluster.startCluster();
    System.out.println("rpc " + cluster.getRpcPort());
    System.out.println("rest " + cluster.getRestPort());
  }
}

package io.karmi.flink;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;

/**
 * Flink's job manager, which also prints the ports that it got, and why it ends if it does: {@code
 * JobManagerMain DIRECTORY}, that of {@code config.yaml}.
 */
public final class JobManagerMain {
  private JobManagerMain() {}

  /** The program. */
  public static void main(String[] args) throws Exception {
    JobManager cluster = new JobManager(GlobalConfiguration.loadConfiguration(args[0]));
    cluster.startCluster();
    System.out.println("rpc " + cluster.getRpcPort());
    System.out.println("rest " + cluster.getRestPort());
  }

  /** Flink itself only logs a fatal error. */
  @SuppressWarnings("try") // closed by the end of the process
  private static final class JobManager extends StandaloneSessionClusterEntrypoint {
    JobManager(Configuration configuration) {
      super(configuration);
    }

    @Override
    public void onFatalError(Throwable failure) {
      failure.printStackTrace();
      super.onFatalError(failure);
    }
  }
}

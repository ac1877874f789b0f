package io.karmi.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.DataOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.Test;

/** JVMs that receive, when those that send to them are gone. */
public class MessagesServerTest {
  private static final String PORT = "port ";

  @Test
  public void aServerOfASocketEndsInSilenceWithItsSender() throws Exception {
    endsInSilence(false);
  }

  /** A process that is killed with answers that it has not read resets its socket. */
  @Test
  public void aServerOfASocketEndsInSilenceWithASenderThatIsKilled() throws Exception {
    endsInSilence(true);
  }

  private static void endsInSilence(boolean reset) throws Exception {
    for (String kind : new String[] {"raw", MessagesServer.KEPT}) {
      try (Jvm server = Jvm.start(MessagesServer.class.getName(), kind)) {
        int port = Integer.parseInt(server.awaitLine(PORT));
        try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), port)) {
          new DataOutputStream(sender.getOutputStream()).writeInt(1 << 10); // and no more
          sender.setSoLinger(reset, 0);
        }
        assertThat(server.everything()).singleElement().asString().startsWith(PORT);
      }
    }
  }
}

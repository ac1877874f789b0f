package io.karmi.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.DataOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.Test;

/** JVMs that receive, when those that send to them are gone. */
public class SocketPeerTest {
  private static final String PORT = "port ";

  /** Serves a sender, and ends with it. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws Exception {
      System.out.println(PORT + SocketPeer.serve("127.0.0.1", Boolean.parseBoolean(arguments[0])));
    }
  }

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
    for (String keep : new String[] {"false", "true"}) {
      try (Jvm server = Jvm.start(Server.class.getName(), keep)) {
        String where = server.awaitLine(PORT);
        int port = Integer.parseInt(where.substring(where.indexOf(":") + 1));
        try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), port)) {
          new DataOutputStream(sender.getOutputStream()).writeInt(1 << 10); // and no more
          sender.setSoLinger(reset, 0);
        }
        assertThat(server.everything()).singleElement().asString().startsWith(PORT);
      }
    }
  }
}

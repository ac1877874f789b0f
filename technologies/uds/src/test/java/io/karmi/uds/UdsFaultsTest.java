package io.karmi.uds;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.FaultsContract;
import io.karmi.contract.Nodes;
import io.karmi.contract.PeerMain;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Peers that are killed, connections that are idle, and what is left of all of them. */
public class UdsFaultsTest extends FaultsContract {
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  /** Short, as the path of a socket has to be. */
  @Before
  public void make() throws IOException {
    directory = Files.createTempDirectory("k");
  }

  /** Fails if a socket is left. */
  @After
  public void delete() throws IOException {
    Files.delete(directory);
  }

  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Local.open(upCall, new SocketDirectory(List.of(directory)), settings);
  }

  @Override
  protected int idleConnections() {
    return 100;
  }

  @Test
  public void peerThatIsKilledDuringACallIsNoticedAtOnce() throws Exception {
    try (Jvm peer = PeerMain.startHanging(UdsProvider.class);
        Technology client = Local.open(Nodes.caller())) {
      assertDeathIsNoticed(peer, callThatHangs(peer, client));
    }
  }

  @Test
  public void manyConnectionsLeaveNoSocketDescriptorOrThread() throws Exception {
    assertRoundsLeaveNothing(10, 50, "KaRMI UDS");
    assertThat(directory).isEmptyDirectory();
  }
}

package io.karmi.tcp;

import io.karmi.contract.FaultsContract;
import io.karmi.contract.Nodes;
import io.karmi.contract.PeerMain;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import org.junit.Test;

/** Peers that are killed, connections that are idle, and what is left of all of them. */
public class TcpFaultsTest extends FaultsContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Wire.open(upCall, settings);
  }

  @Override
  protected int idleConnections() {
    return 100;
  }

  @Test
  public void peerThatIsKilledDuringACallIsNoticedAtOnce() throws Exception {
    try (Jvm peer = PeerMain.startHanging(TcpProvider.class);
        Technology client = Wire.open(Nodes.caller())) {
      assertDeathIsNoticed(peer, callThatHangs(peer, client));
    }
  }

  @Test
  public void manyConnectionsLeaveNoDescriptorOrThread() throws Exception {
    assertRoundsLeaveNothing(10, 50, "KaRMI TCP");
  }
}

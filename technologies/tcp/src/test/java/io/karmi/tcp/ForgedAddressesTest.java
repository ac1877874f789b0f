package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.FreePort;
import java.rmi.ConnectException;
import org.junit.Test;

/** References that name many addresses, as no node does. */
public class ForgedAddressesTest {
  private static final int TRIED = 64;

  /** A reference to a node that is at the last of as many addresses. */
  private static ObjectId lastOf(int addresses, Callee node, int port) throws Exception {
    int closed = FreePort.any();
    StringBuilder list = new StringBuilder();
    for (int i = 1; i < addresses; i++) {
      list.append("127.0.").append(1 + i / 200).append('.').append(1 + i % 200);
      list.append(':').append(closed).append(',');
    }
    return Nodes.object(node, new TechnologyId(Tcp.NAME, list + "127.0.0.1:" + port));
  }

  @Test
  public void onlyTheFirstAddressesAreTried() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Nodes.caller())) {
      int port = Wire.port(server.listen(0));
      assertThat(Nodes.next(client, lastOf(TRIED, node, port), 1)).isEqualTo(2);
      ObjectId beyond = lastOf(TRIED + 1, node, port);
      assertThatThrownBy(() -> Nodes.next(client, beyond, 1)).isInstanceOf(ConnectException.class);
      ObjectId forged = lastOf(3_000, node, port);
      assertThatThrownBy(() -> Nodes.next(client, forged, 1)).isInstanceOf(ConnectException.class);
    }
    assertThat(node.calls()).isEqualTo(1);
  }
}

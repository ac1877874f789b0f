package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Jvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** No node can pass for another, neither as caller nor as callee. */
public class ImpostorTest {
  private static final String MAIN = Bank.class.getName();
  private static final long TRANSFER = Methods.hash("transfer()Z");

  private static long[] node(Jvm jvm) throws InterruptedException {
    String[] halves = jvm.awaitLine("node ").split(" ");
    return new long[] {Long.parseLong(halves[0]), Long.parseLong(halves[1])};
  }

  @Test
  public void callerWithTheNameOfAnotherIsNotCalledBackInItsPlace() throws Exception {
    try (Jvm registry = Jvm.start(MAIN, "registry")) {
      String names = registry.awaitLine("port ");
      try (Jvm bank = Jvm.start(MAIN, "bank", names)) {
        SocketDoor door = new SocketDoor(Integer.parseInt(bank.awaitLine("port ")));
        long object = Long.parseLong(bank.awaitLine("object "));
        assertOwnerIsAsked(names, door, object);
      }
    }
  }

  private static void assertOwnerIsAsked(String names, SocketDoor door, long object)
      throws Exception {
    try (Jvm owner = Jvm.start(MAIN, "owner", names)) {
      long[] claimed = node(owner);
      assertThat(owner.awaitLine("honest ")).isEqualTo("false");
      try (RawPeer impostor = RawPeer.introduced(door, claimed[0], claimed[1])) {
        impostor.message(RawPeer.CALL, impostor.request(object, TRANSFER).toArray());
        List<byte[]> bodies = new ArrayList<>();
        int kind = impostor.read(bodies);
        assertThat(kind).as("the impostor is asked").isEqualTo(RawPeer.REPLY);
        assertThat(bodies.get(0)).as("what the owner has said").containsExactly(0, 0);
      }
      assertThat(owner.ask("", "honest ")).isEqualTo("false");
      assertThat(owner.awaitLinesWith("asked", 3))
          .as("how often the owner was asked, before, by the impostor, and after")
          .hasSize(3);
    }
  }

  @Test
  public void calleeWithTheNameOfAnotherGetsNoneOfItsCalls() throws Exception {
    try (Jvm registry = Jvm.start(MAIN, "registry")) {
      String names = registry.awaitLine("port ");
      try (Jvm bank = Jvm.start(MAIN, "bank", names)) {
        assertBankIsAsked(names, node(bank));
      }
    }
  }

  private static void assertBankIsAsked(String names, long[] claimed) throws Exception {
    try (Impostor impostor = new Impostor(claimed, new WireBytes().int32(666));
        Jvm customer = Jvm.start("-Dkarmi.idleTimeout=300", MAIN, "customer", names)) {
      assertThat(customer.awaitLine("balance ")).isEqualTo("100");
      for (int i = 0; i < 4; i++) {
        customer.ask("" + impostor.port(), "names ");
        Thread.sleep(700); // not awaited: the idle connection to the bank is closed meanwhile
        assertThat(customer.ask("", "balance ")).isEqualTo("100");
      }
      assertThat(impostor.objectsCalled)
          .as("objects that the impostor was asked for")
          .isNotEmpty()
          .containsOnly(Methods.REGISTRY);
    }
  }
}

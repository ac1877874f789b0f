package io.karmi.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.Karmi;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class ReplicasTest {
  private final List<Jvm> jvms = new ArrayList<>();
  private final List<Registry> registries = new ArrayList<>();
  private final List<Remote> stubs = new ArrayList<>();
  private Replica replicated;

  @Before
  public void start() throws Exception {
    for (String name : List.of("first", "second")) {
      int port = FreePort.any();
      Jvm jvm = Jvm.start(ReplicaMain.class.getName(), name, String.valueOf(port));
      jvms.add(jvm);
      jvm.awaitLine("ready");
      Registry registry = LocateRegistry.getRegistry("localhost", port);
      registries.add(registry);
      stubs.add(registry.lookup("replica"));
    }
    replicated = (Replica) Karmi.replicated(stubs.get(0), stubs.get(1));
  }

  @After
  public void end() {
    jvms.forEach(Jvm::close);
  }

  @Test
  public void callsGoToTheNextReplicaWhenOneIsKilled() throws Exception {
    assertThat(replicated.name()).isEqualTo("first");
    jvms.get(0).kill();
    assertThat(replicated.name()).isEqualTo("second");
    assertThat(replicated.length("abc", 5)).isEqualTo(15);
  }

  @Test
  public void exceptionIsTheSameWhenNobodyIsLeft() throws Exception {
    assertThat(replicated.name()).isEqualTo("first");
    jvms.get(0).kill();
    jvms.get(1).kill();
    assertThatThrownBy(replicated::name)
        .isInstanceOf(RemoteException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).as("that of the other one").hasSize(1));
  }

  @Test
  public void whatAReplicaThrowsIsTheResult() throws Exception {
    assertThatThrownBy(replicated::fail)
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("at first");
    assertThat(replicated.name()).isEqualTo("first");
  }

  @Test
  public void stubTravelsLikeAnyOther() throws Exception {
    Remote echoed = (Remote) replicated.echo(replicated);
    registries.get(1).bind("both", replicated);
    Remote bound = registries.get(1).lookup("both");
    Remote stored = stored(replicated);
    jvms.get(0).kill();
    for (Remote each : List.of(echoed, bound, stored)) {
      assertThat(each).isEqualTo(replicated).hasSameHashCodeAs(replicated);
      assertThat(((Replica) each).name()).isEqualTo("second");
    }
    assertThat(replicated).isNotEqualTo(stubs.get(1));
  }

  private static Remote stored(Remote stub) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(stub);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (Remote) in.readObject();
    }
  }

  @Test
  public void onlyStubsWithACommonInterfaceStandForEachOther() {
    assertThatThrownBy(Karmi::replicated).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Karmi.replicated(new Remote() {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no stub of KaRMI's");
  }
}

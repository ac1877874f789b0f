package io.karmi.exchange.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.remote.ServerDirectories;
import io.karmi.exchange.server.ExchangeServer;
import io.karmi.kit.FreePort;
import io.karmi.messaging.Address;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** The directory that comes with KaRMI. */
public class ServerDirectoryTest extends DirectoryContract {
  private final int port = FreePort.any();
  private ExchangeServer server;
  private String url;

  /** Gets a port. */
  public ServerDirectoryTest() throws Exception {}

  @Before
  public void start() throws Exception {
    server = ExchangeServer.start(port);
    url = "//localhost:" + port + "/exchange";
  }

  @After
  @Override
  public void leaveAll() throws Exception {
    super.leaveAll();
    server.close();
  }

  /** Else an address could name two groups, one of each server. */
  @Test
  public void serversThatFollowEachOtherAtOnceHaveDifferentGenerations() throws Exception {
    Set<Integer> generations = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      generations.add(member(10).directory.joined().generation());
      leaveAll();
      start();
    }
    assertThat(generations).hasSize(3);
  }

  @Test
  public void reportsThatLackSomethingChangeNothing() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    b.hold(b.group(1));
    a.bind("key", a.group(1), false);
    GroupAddress[] groups = {a.group(2)};
    Report.Dependency[] added = {new Report.Dependency(a.group(2), groups)};
    List<Report> lacking =
        List.of(
            FakeMember.report(groups, 0, new GroupAddress[0]),
            FakeMember.report(new GroupAddress[0], 0, groups),
            new Report(
                new GroupAddress[0], new int[0], new GroupAddress[0], groups, added, groups));
    groups[0] = null;
    for (Report each : lacking) {
      assertThatThrownBy(() -> a.directory.update(each)).isInstanceOf(IOException.class);
    }
    assertThat(server.stats()).containsEntry("groups", 2L);
    leave(a, Report.EMPTY);
    assertThat(server.stats()).containsEntry("groups", 1L).containsEntry("members", 1L);
  }

  @Override
  protected Directory join(Address messaging) throws Exception {
    return new ServerDirectories().join(url, messaging);
  }
}

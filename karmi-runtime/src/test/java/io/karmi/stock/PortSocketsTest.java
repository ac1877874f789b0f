package io.karmi.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

public class PortSocketsTest {
  private static final int ANY = 4711;

  private final AtomicInteger released = new AtomicInteger();

  /** A connection that counts when it is closed. */
  private final class Counted extends Socket {
    @Override
    public synchronized void close() throws IOException {
      released.incrementAndGet();
      super.close();
    }
  }

  private ServerSocket open(PortSockets sockets) throws IOException {
    return sockets.open(ANY, () -> released.addAndGet(100));
  }

  @Test
  public void connectionsThatWereNotAcceptedAreClosedWithTheirPort() throws Exception {
    PortSockets sockets = PortSockets.of(ANY);
    ServerSocket server = open(sockets);
    assertThat(sockets.offer(new Counted())).isTrue();
    assertThat(sockets.offer(new Counted())).isTrue();
    server.close();
    assertThat(released).as("two connections and the port").hasValue(102);
    assertThat(sockets.offer(new Counted())).as("after the end").isFalse();
    assertThatThrownBy(server::accept).isInstanceOf(SocketException.class);
  }

  @Test
  public void connectionsThatAreBeingAcceptedAreServedToTheEnd() throws Exception {
    PortSockets sockets = PortSockets.of(ANY + 1);
    ServerSocket server = open(sockets);
    FutureTask<Integer> acceptor =
        new FutureTask<>(
            () -> {
              int accepted = 0;
              try {
                while (server.accept() != null) {
                  accepted++;
                }
              } catch (SocketException e) {
                assertThat(e).hasMessageContaining("no more objects");
              }
              return accepted;
            });
    Thread thread = new Thread(acceptor);
    assertThat(sockets.offer(new Counted())).isTrue();
    thread.start();
    while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(sockets.offer(new Counted())).isTrue();
    server.close();
    assertThat(acceptor.get(60, TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(released).as("only the port").hasValue(100);
  }

  @Test
  public void connectionThatCameBeforeTheAcceptorHasBegunIsServed() throws Exception {
    PortSockets sockets = PortSockets.of(ANY + 2);
    ServerSocket server = open(sockets);
    Counted connection = new Counted();
    assertThat(sockets.offer(connection)).isTrue();
    FutureTask<Void> closing =
        new FutureTask<>(
            () -> {
              server.close();
              return null;
            });
    Thread thread = new Thread(closing);
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(server.accept()).isSameAs(connection);
    closing.get(60, TimeUnit.SECONDS);
    assertThat(released).as("only the port").hasValue(100);
    assertThatThrownBy(server::accept).isInstanceOf(SocketException.class);
  }
}

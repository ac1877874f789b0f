package io.karmi.exchange.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.GroupLostException;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Joined;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** One holder, whose answers may be lost with its connection. */
public class PullTest {
  private static final GroupAddress GROUP = new GroupAddress(1, 1, 1);
  private static final Address HOLDER = Messaging.ofThisNode().address();
  private static final int LAST_BYTES = 10;
  private static final long TOTAL_BYTES = FetchGroup.PIECE_BYTES + LAST_BYTES;
  private static final UnmarshalException LOST =
      new UnmarshalException("the connection was lost; the request may have been handled");

  private static final ConnectIOException CUT = new ConnectIOException("no introduction");
  private static final String LIMIT = "karmi.internal.exchangeTimeout";

  private final AtomicInteger requests = new AtomicInteger();

  /** After which time requests fail. */
  private long pauseMillis;

  /** What requests for each piece fail with, before it is given. */
  private final List<Queue<RemoteException>> failures =
      List.of(new ArrayDeque<>(), new ArrayDeque<>());

  private final Directory directory =
      (Directory)
          Proxy.newProxyInstance(
              PullTest.class.getClassLoader(),
              new Class<?>[] {Directory.class},
              (proxy, method, arguments) ->
                  method.getName().equals("joined")
                      ? new Joined(2, 1, 0x7e57, 5)
                      : new Address[] {HOLDER});

  private final Messaging messaging =
      (Messaging)
          Proxy.newProxyInstance(
              PullTest.class.getClassLoader(),
              new Class<?>[] {Messaging.class},
              (proxy, method, arguments) ->
                  method.getName().equals("request") ? answer((FetchGroup) arguments[0]) : null);

  private synchronized CompletableFuture<Object> answer(FetchGroup request) {
    requests.incrementAndGet();
    boolean last = request.from() > 0;
    RemoteException failure = failures.get(last ? 1 : 0).poll();
    if (failure != null) {
      CompletableFuture<Object> failed = new CompletableFuture<>();
      CompletableFuture.delayedExecutor(pauseMillis, TimeUnit.MILLISECONDS)
          .execute(() -> failed.completeExceptionally(failure));
      return failed;
    }
    int bytes = last ? LAST_BYTES : FetchGroup.PIECE_BYTES;
    ByteBuffer piece =
        ByteBuffer.allocate(FetchGroup.LENGTH_BYTES + bytes).order(ByteOrder.LITTLE_ENDIAN);
    piece.putLong(TOTAL_BYTES);
    return CompletableFuture.completedFuture(piece.array());
  }

  private long pull() throws IOException {
    long[] come = new long[1];
    try (Pull pull = new Pull(GROUP, null, null, directory, messaging)) {
      pull.all(0, (piece, left) -> come[0] += piece.remaining());
    }
    return come[0];
  }

  @Test
  public void holderWhoseConnectionWasLostIsAskedAgainForEachPiece() throws Exception {
    failures.forEach(each -> each.add(LOST));
    assertThat(pull()).isEqualTo(TOTAL_BYTES);
  }

  @Test
  public void holderWhoseConnectionIsLostAgainIsGivenUp() {
    failures.get(0).addAll(List.of(LOST, LOST));
    assertThatThrownBy(this::pull)
        .isInstanceOf(GroupLostException.class)
        .hasMessageContaining(LOST.getMessage());
    assertThat(requests).hasValue(2);
  }

  @Test
  public void holderWhoseConnectionIsCutWhileItIsMadeIsAskedAgain() throws Exception {
    failures.forEach(each -> each.add(CUT));
    assertThat(pull()).isEqualTo(TOTAL_BYTES);
  }

  @Test
  public void holderToWhichNoConnectionIsMadeForLongIsNotAskedAgain() {
    failures.get(0).add(CUT);
    pauseMillis = 200;
    System.setProperty(LIMIT, "1600");
    try {
      assertThatThrownBy(this::pull)
          .isInstanceOf(GroupLostException.class)
          .hasMessageContaining(CUT.getMessage());
    } finally {
      System.clearProperty(LIMIT);
    }
    assertThat(requests).hasValue(1);
  }

  @Test
  public void holderThatSaysNoIsNotAskedAgain() {
    failures.get(0).add(new ServerException("it is not on this host"));
    assertThatThrownBy(this::pull).isInstanceOf(GroupLostException.class);
    assertThat(requests).hasValue(1);
  }
}

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
import java.io.StreamCorruptedException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Several holders, some of which are slow, or say another length. */
public class PullHoldersTest {
  private static final GroupAddress GROUP = new GroupAddress(1, 1, 1);
  private static final String LIMIT = "karmi.internal.exchangeTimeout";

  /** A holder is silent after a sixteenth of that. */
  private static final int LIMIT_MILLIS = 3_200;

  /** Where it counts how quick one is: other programs run as well. */
  private static final int PATIENT_MILLIS = 16_000;

  private static final long PIECE = FetchGroup.PIECE_BYTES;
  private static final long HONEST_BYTES = 40 * PIECE + 1;

  /** What an honest holder sends; others send zeros. */
  private static final byte HONEST = 7;

  private final List<Address> holders = new ArrayList<>();
  private final Map<Address, Holder> byAddress = new HashMap<>();

  /** Of a line that all share: until when it is busy. */
  private long lineNanos = System.nanoTime();

  private final Directory directory =
      proxy(
          Directory.class,
          (method, arguments) ->
              method.equals("joined")
                  ? new Joined(2, 1, 0x7e57, 5)
                  : holders.toArray(new Address[0]));

  private final Messaging messaging =
      proxy(
          Messaging.class,
          (method, arguments) ->
              method.equals("request")
                  ? byAddress.get((Address) arguments[1]).asked((FetchGroup) arguments[0])
                  : Address.at("127.0.0.1", 1));

  /** What is asked of a proxy. */
  private interface Answers {
    Object to(String method, Object... arguments) throws IOException;
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            PullHoldersTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.to(method.getName(), arguments)));
  }

  /** One of them, which counts what it is asked for. */
  private class Holder {
    private final long says;
    private final byte content;
    int requests;

    Holder(long says, byte content) {
      this.says = says;
      this.content = content;
      Address address = Address.at("127.0.0.1", 2 + holders.size());
      holders.add(address);
      byAddress.put(address, this);
    }

    final CompletableFuture<Object> asked(FetchGroup request) {
      synchronized (PullHoldersTest.this) {
        requests++;
        int bytes = (int) Math.max(0, Math.min(request.most(), says - request.from()));
        ByteBuffer piece =
            ByteBuffer.allocate(FetchGroup.LENGTH_BYTES + bytes).order(ByteOrder.LITTLE_ENDIAN);
        piece.putLong(says);
        Arrays.fill(piece.array(), piece.position(), piece.capacity(), content);
        long nanos = nanos(request, bytes);
        CompletableFuture<Object> answer = new CompletableFuture<>();
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS)
            .execute(() -> answer.complete(piece.array()));
        return answer;
      }
    }

    /** Time until the answer. */
    long nanos(FetchGroup request, int bytes) {
      return 100_000;
    }
  }

  private Holder honest() {
    return new Holder(HONEST_BYTES, HONEST);
  }

  @Before
  public void isImpatient() {
    System.setProperty(LIMIT, Integer.toString(LIMIT_MILLIS));
  }

  @After
  public void isPatient() {
    System.clearProperty(LIMIT);
  }

  /** Fetches as a fetcher does, whose check says whether all has come of honest ones. */
  private long fetch() throws IOException {
    try (Pull pull = new Pull(GROUP, null, null, directory, messaging)) {
      while (true) {
        long[] come = {0, 0};
        try {
          pull.all(
              0,
              (piece, left) -> {
                come[0] += piece.remaining();
                come[1] += piece.get(piece.position()) == HONEST ? 0 : 1;
              });
          if (come[1] == 0 && come[0] == HONEST_BYTES) {
            return come[0];
          }
          throw new StreamCorruptedException("it is damaged");
        } catch (StreamCorruptedException e) {
          pull.isWrong(e);
        }
      }
    }
  }

  @Test
  public void groupsOfHoldersThatTellALengthWithoutAnEndComeFromOthers() throws Exception {
    new Holder(1L << 50, (byte) 0);
    new Holder(1L << 50, (byte) 0);
    honest();
    assertThat(fetch()).isEqualTo(HONEST_BYTES);
  }

  @Test
  public void groupsOfHoldersThatTellAShorterLengthComeFromOthers() throws Exception {
    for (int i = 1; i <= 15; i++) {
      new Holder(i * 2 * PIECE, (byte) 0);
    }
    honest();
    assertThat(fetch()).isEqualTo(HONEST_BYTES);
  }

  /** It is silent never, and would take forty times as long. */
  @Test
  public void holdersThatGiveEachPieceLateGiveWayToQuickerOnes() throws Exception {
    System.setProperty(LIMIT, Integer.toString(PATIENT_MILLIS));
    for (long says : new long[] {HONEST_BYTES, 30 * PIECE, 1L << 50}) {
      holders.clear();
      for (int i = 0; i < 3; i++) {
        new Holder(says, HONEST) {
          private long lastNanos = System.nanoTime();

          @Override
          long nanos(FetchGroup request, int bytes) {
            long now = System.nanoTime();
            long pause = bytes == PIECE ? PATIENT_MILLIS / 16 - 20 : 1;
            lastNanos = Math.max(now, lastNanos) + TimeUnit.MILLISECONDS.toNanos(pause);
            return lastNanos - now;
          }
        };
      }
      Holder quick = honest();
      long begin = System.nanoTime();
      assertThat(fetch()).isEqualTo(HONEST_BYTES);
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
          .as("while others say " + says)
          .isLessThan(PATIENT_MILLIS);
      assertThat(quick.requests).isGreaterThan(30);
    }
  }

  @Test
  public void oneWhosePartIsLateOnceIsAskedForAnotherPart() throws Exception {
    System.setProperty(LIMIT, Integer.toString(PATIENT_MILLIS));
    long pieceNanos = TimeUnit.MILLISECONDS.toNanos(PATIENT_MILLIS) / 32;
    new Holder(HONEST_BYTES, HONEST) {
      private long lastNanos = System.nanoTime();

      @Override
      long nanos(FetchGroup request, int bytes) {
        long now = System.nanoTime();
        lastNanos = Math.max(now, lastNanos) + pieceNanos;
        return lastNanos - now;
      }
    };
    Holder late =
        new Holder(HONEST_BYTES, HONEST) {
          @Override
          long nanos(FetchGroup request, int bytes) {
            return requests == 1 ? pieceNanos : 100_000;
          }
        };
    assertThat(fetch()).isEqualTo(HONEST_BYTES);
    assertThat(late.requests).isGreaterThan(20);
  }

  /** To ask the next one for all would make the line slower for the first one. */
  @Test
  public void holdersThatShareASlowLineGiveTheGroup() throws Exception {
    long pieceNanos = TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS) * 28 / 100; // 1 Mbit/s and 30 s
    for (int i = 0; i < 16; i++) {
      new Holder(6 * PIECE, HONEST) {
        @Override
        long nanos(FetchGroup request, int bytes) {
          long now = System.nanoTime();
          lineNanos = Math.max(lineNanos, now) + pieceNanos * bytes / PIECE;
          return lineNanos - now;
        }
      };
    }
    long[] come = new long[1];
    try (Pull pull = new Pull(GROUP, null, null, directory, messaging)) {
      pull.all(0, (piece, left) -> come[0] += piece.remaining());
    }
    assertThat(come[0]).isEqualTo(6 * PIECE);
  }

  @Test
  public void oneThatIsAloneAndGivesNoPieceWithinTheLimitIsGivenUp() {
    new Holder(HONEST_BYTES, HONEST) {
      @Override
      long nanos(FetchGroup request, int bytes) {
        return request.from() < 2 * PIECE ? 0 : TimeUnit.HOURS.toNanos(1);
      }
    };
    assertThatThrownBy(this::fetch)
        .isInstanceOf(GroupLostException.class)
        .hasMessageContaining("no answer within " + LIMIT_MILLIS);
  }

  /** One that has given the group before is asked without it. */
  @Test
  public void aDirectoryThatCannotBeReachedEndsNoFetchFromOneThatIsSlow() throws Exception {
    new Holder(3 * PIECE, HONEST) {
      @Override
      long nanos(FetchGroup request, int bytes) {
        return TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS / 8);
      }
    };
    Directory unreachable =
        proxy(
            Directory.class,
            (method, arguments) -> {
              if (method.equals("joined")) {
                return new Joined(2, 1, 0x7e57, 5);
              }
              throw new IOException("not reached");
            });
    long[] come = new long[1];
    try (Pull pull = new Pull(GROUP, null, holders.get(0), unreachable, messaging)) {
      pull.all(0, (piece, left) -> come[0] += piece.remaining());
    }
    assertThat(come[0]).isEqualTo(3 * PIECE);
  }
}

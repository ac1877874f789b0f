package io.karmi.messaging.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.hostile.Forged;
import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.kit.Certificates;
import io.karmi.messaging.LinkLostException;
import io.karmi.messaging.ObjectChannel;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** A channel over a socket whose other end does not keep to the rules. */
public class HostileSocketChannelTest {
  private static final int MUTATIONS = 500;

  private static final int GRAPH_AT = SocketFrame.HEADER_BYTES + SocketFrame.GRAPH_BYTES;

  @Rule public final Timeout limit = Timeout.seconds(150);

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private ServerSocket server;

  @Before
  public void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @After
  public void close() throws IOException {
    server.close();
    System.clearProperty("karmi.messageTimeout");
    System.clearProperty("karmi.writeTimeout");
    System.clearProperty("karmi.maxMessageBytes");
  }

  private Socket connect() throws IOException {
    return new Socket(server.getInetAddress(), server.getLocalPort());
  }

  record Graph(int number, String text, List<Integer> numbers) implements Serializable {}

  /** A channel, and the socket that another program has at its other end. */
  private final class Attacked implements AutoCloseable {
    final Socket attacker = connect();
    final ObjectChannel channel = ObjectChannel.over(server.accept());
    final DataOutputStream out = new DataOutputStream(new Attack(attacker.getOutputStream()));

    Attacked() throws IOException {}

    void open() throws IOException {
      out.write(SocketFrame.opening(1 << 19));
    }

    @Override
    public void close() throws IOException {
      attacker.close();
      try {
        channel.close();
      } catch (LinkLostException e) {
        // it says so if it finds out only now, and graphs are open
      }
    }
  }

  /** The attacker's bytes. The channel may close the socket before it has taken all of them. */
  private static final class Attack extends FilterOutputStream {
    Attack(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      try {
        out.write(bytes, from, length);
      } catch (IOException e) {
        // the channel has given this end up, which its reader tells
      }
    }
  }

  /** What a channel sends that writes some graphs, is asked, asks, and ends. */
  private byte[] recorded() throws IOException {
    try (Socket peer = connect();
        Socket own = server.accept()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ObjectChannel channel = ObjectChannel.over(own);
      peer.getOutputStream().write(SocketFrame.opening(1 << 20));
      for (int i = 0; i < 6; i++) {
        channel.writeAsync(new Graph(i, "text " + i, List.of(i, 1, 2)));
      }
      peer.getOutputStream().write(SocketFrame.ask(0, 0));
      peer.getOutputStream()
          .write(SocketFrame.state(new ChannelState(6, 0, false, true, List.of())));
      channel.close();
      InputStream in = peer.getInputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        bytes.write(next);
      }
      return bytes.toByteArray();
    }
  }

  @Test
  public void changedBytesEndInAGraphOrAnIoExceptionAndTheNextChannelIsWhole() throws Exception {
    byte[] good = recorded();
    Random random = new Random(34);
    int read = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] bytes = good.clone();
      for (int change = random.nextInt(3); change >= 0; change--) {
        int at = random.nextInt(bytes.length);
        bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : bytes[at] ^ 1 << i % 8);
      }
      int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
      try (Attacked attacked = new Attacked()) {
        attacked.out.write(bytes, 0, length);
        attacked.attacker.shutdownOutput();
        read += readAll(attacked.channel);
      }
    }
    assertThat(read).as("graphs that were read").isGreaterThan(MUTATIONS);
    try (Attacked attacked = new Attacked()) {
      attacked.out.write(good);
      assertThat(readAll(attacked.channel)).isEqualTo(6);
    }
  }

  private static int readAll(ObjectChannel channel) {
    int read = 0;
    for (int failed = 0; failed < 20; ) {
      try {
        channel.read();
        read++;
      } catch (IOException | ClassNotFoundException e) {
        if (!(e instanceof java.rmi.UnmarshalException || e instanceof ClassNotFoundException)) {
          return read;
        }
        failed++;
      }
    }
    return read;
  }

  @Test
  public void aClaimOfLengthTakesNoMemoryBeforeItsBytesHaveCome() throws Exception {
    long before = Ledgers.messages().taken(); // others of this JVM may still be giving back
    try (Attacked attacked = new Attacked()) {
      attacked.open();
      attacked.out.writeInt((int) Math.min(Runtime.getRuntime().maxMemory() / 5, 1 << 30));
      attacked.out.writeByte(SocketFrame.GRAPH);
      attacked.out.write(new byte[100]);
      assertThat(Ledgers.messages().taken() - before).isLessThan(1 << 20);
      attacked.attacker.shutdownOutput();
      assertThatThrownBy(attacked.channel::read).isInstanceOf(LinkLostException.class);
    }
  }

  @Test
  public void aLongerGraphThanAllowedEndsTheChannel() throws Exception {
    System.setProperty("karmi.maxMessageBytes", "100000");
    try (Attacked attacked = new Attacked()) {
      attacked.open();
      attacked.out.writeInt(100_001);
      attacked.out.writeByte(SocketFrame.GRAPH);
      assertThatThrownBy(attacked.channel::read)
          .isInstanceOf(LinkLostException.class)
          .hasMessageContaining("karmi.maxMessageBytes");
    }
  }

  /** What others keep, so that no channel has more than what is free. */
  private static List<Ledger.Account> fillTables() {
    List<Ledger.Account> others = new ArrayList<>();
    for (String host : new String[] {"one host", "another host"}) {
      Ledger.Account account = Ledgers.tables().open(() -> host, 0, reason -> false);
      others.add(account);
      for (long step = 1 << 28; step > 0; step /= 2) {
        while (account.hold(step)) {
          continue;
        }
      }
    }
    return others;
  }

  @Test
  public void anEndThatDescribesTypesWithoutEndIsGivenUp() throws Exception {
    List<Ledger.Account> others = fillTables();
    try (Attacked attacked = new Attacked()) {
      attacked.open();
      for (int i = 1; i <= 20; i++) {
        byte[] graph = Forged.object("absent" + i + "x".repeat(5_000), 1).toArray();
        byte[] frame = new byte[GRAPH_AT + graph.length];
        SocketFrame.putGraph(frame, graph.length, i, 0, false, i == 1);
        System.arraycopy(graph, 0, frame, GRAPH_AT, graph.length);
        attacked.out.write(frame);
      }
      attacked.attacker.shutdownOutput();
      assertThatThrownBy(() -> readWhole(attacked.channel)).hasStackTraceContaining("types of ");
    } finally {
      others.forEach(Ledger.Account::close);
    }
  }

  /** Reads until the channel is lost. */
  private static void readWhole(ObjectChannel channel) throws IOException {
    while (true) {
      try {
        channel.read();
      } catch (ClassNotFoundException | java.rmi.UnmarshalException e) {
        continue; // the next graph may be read
      }
    }
  }

  @Test
  public void anotherProgramThanAChannelIsNamed() throws Exception {
    try (Attacked attacked = new Attacked()) {
      /* In one write: the channel ends while the rest of several is still to come. */
      attacked.out.write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThatThrownBy(attacked.channel::read)
          .isInstanceOf(LinkLostException.class)
          .hasMessageContaining("has no channel");
    }
  }

  @Test
  public void aGraphThatDoesNotGoOnIsGivenUp() throws Exception {
    System.setProperty("karmi.messageTimeout", "300");
    try (Attacked attacked = new Attacked()) {
      attacked.open();
      attacked.out.writeInt(1000);
      attacked.out.writeByte(SocketFrame.GRAPH);
      assertThatThrownBy(attacked.channel::read)
          .isInstanceOf(LinkLostException.class)
          .hasMessageContaining("karmi.messageTimeout");
    }
  }

  @Test
  public void anEndThatTakesNothingIsGivenUp() throws Exception {
    System.setProperty("karmi.writeTimeout", "500");
    try (Attacked attacked = new Attacked()) {
      attacked.out.write(SocketFrame.opening(Integer.MAX_VALUE));
      assertThatThrownBy(() -> writeMuch(attacked.channel))
          .isInstanceOf(LinkLostException.class)
          .hasStackTraceContaining("channel");
    }
  }

  private static void writeMuch(ObjectChannel channel) throws IOException {
    for (int i = 0; i < 1000; i++) {
      channel.writeAsync(new byte[1 << 20]);
    }
  }

  @Test
  public void anEndOfTlsThatTakesNothingIsGivenUpAndThoseBehindItAreToo() throws Exception {
    System.setProperty("karmi.writeTimeout", "500");
    Certificates certificates = new Certificates(folder.getRoot().toPath());
    certificates.make("node");
    certificates.trust("node", "node");
    SSLContext tls = certificates.context("node");
    try (ServerSocket secured =
            tls.getServerSocketFactory().createServerSocket(0, 1, server.getInetAddress());
        Socket below = new Socket(server.getInetAddress(), secured.getLocalPort())) {
      Socket attacker =
          tls.getSocketFactory().createSocket(below, "localhost", secured.getLocalPort(), true);
      SSLSocket attacked = (SSLSocket) secured.accept();
      FutureTask<Void> handshake =
          new FutureTask<>(
              () -> {
                attacked.startHandshake();
                return null;
              });
      new Thread(handshake, "handshake").start();
      ((SSLSocket) attacker).startHandshake(); // for which the time limit is not meant
      handshake.get();
      ObjectChannel channel = ObjectChannel.over(attacked);
      attacker.getOutputStream().write(SocketFrame.opening(Integer.MAX_VALUE));
      assertThatThrownBy(() -> writeMuch(channel)).isInstanceOf(LinkLostException.class);
      anEndThatTakesNothingIsGivenUp();
    }
  }

  @Test
  public void anEndThatAcknowledgesNothingIsSentSoManyGraphsAndNoMore() throws Exception {
    System.setProperty("karmi.writeTimeout", "500");
    ChannelState allIsRead = new ChannelState(0, Long.MAX_VALUE, false, false, List.of());
    for (int window : new int[] {1, Integer.MAX_VALUE}) {
      try (Attacked attacked = new Attacked()) {
        attacked.out.write(SocketFrame.opening(window));
        attacked.out.write(SocketFrame.state(allIsRead));
        Thread reader = new Thread(() -> drain(attacked.attacker), "attacker");
        reader.start();
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 100_000; i++) {
                    attacked.channel.writeAsync(i);
                  }
                })
            .isInstanceOf(SocketTimeoutException.class);
        attacked.attacker.close();
        reader.join();
      }
    }
  }

  private static void drain(Socket socket) {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // closed
    }
  }

  @Test
  public void moreThanTheWindowEndsTheChannel() throws Exception {
    try (Socket peer = connect()) {
      ObjectChannel channel = ObjectChannel.over(server.accept());
      Socket second = connect();
      ObjectChannel sender = ObjectChannel.over(second);
      Socket other = server.accept();
      other.getOutputStream().write(SocketFrame.opening(Integer.MAX_VALUE)); // which it has not
      Thread relay = new Thread(() -> relay(other, peer), "relay");
      relay.start();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  sender.writeAsync(new byte[100_000]);
                }
                sender.writeAsync("x").await();
              })
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> drain(channel))
          .isInstanceOf(LinkLostException.class)
          .hasMessageContaining("are unread");
      other.close();
      relay.join();
      sender.close();
      channel.close();
    }
  }

  private static void relay(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // the channel has ended
    } finally {
      try {
        from.close();
      } catch (IOException e) {
        // as well
      }
    }
  }

  private static void drain(ObjectChannel channel) throws Exception {
    while (true) {
      channel.read();
    }
  }

  @Test
  public void stateOfGraphsThatWereNeverSentEndsTheChannel() throws Exception {
    try (Attacked attacked = new Attacked()) {
      attacked.open();
      attacked.out.write(SocketFrame.state(new ChannelState(1L << 62, 0, false, false, List.of())));
      assertThatThrownBy(attacked.channel::read)
          .isInstanceOf(LinkLostException.class)
          .hasMessageContaining("acknowledged");
    }
  }

  @Test
  public void theTimeoutOfTheSocketIsThatOfReading() throws Exception {
    try (Socket peer = connect();
        Socket own = server.accept()) {
      own.setSoTimeout(100);
      ObjectChannel channel = ObjectChannel.over(own);
      assertThatThrownBy(channel::read).isInstanceOf(SocketTimeoutException.class);
      ObjectChannel other = ObjectChannel.over(peer);
      other.write("late");
      assertThat(channel.read()).isEqualTo("late");
      other.close();
    }
  }

  @Test
  public void theOpeningIsSentBeforeAGraphAndTheEndThatAreWrittenAtOnce() throws Exception {
    for (int i = 0; i < 300; i++) {
      try (Socket peer = connect();
          Socket own = server.accept()) {
        peer.getOutputStream().write(SocketFrame.opening(1 << 19));
        peer.getOutputStream()
            .write(SocketFrame.state(new ChannelState(0, 0, false, true, List.of())));
        ObjectChannel channel = ObjectChannel.over(own);
        if (i % 2 == 0) {
          channel.writeAsync("at once");
        } else {
          channel.close();
        }
        byte[] first = peer.getInputStream().readNBytes(SocketFrame.OPENING_BYTES);
        assertThat(first).startsWith("KaRMIOC1".getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  @Test
  public void aSocketThatIsNotConnectedIsRefused() {
    assertThatThrownBy(() -> ObjectChannel.over(new Socket()))
        .isInstanceOf(java.net.SocketException.class);
  }
}

package io.karmi.connection.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.Callee;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.ConnectionSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.rmi.ConnectIOException;
import java.util.List;
import org.junit.Test;

/** What two nodes agree on, also if they are of different ages; and who they are to each other. */
public class HandshakeTest {
  private static final TechnologyId END = new TechnologyId("none", "");

  private final Callee node = new Callee((call, in, out) -> {});
  private final ConnectionSettings settings = new ConnectionSettings(name -> null);
  private final Introducer introducer = new Introducer(node, settings);

  private static Handshake sent(Handshake handshake) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    handshake.write(bytes);
    return Handshake.read(new ByteArrayInputStream(bytes.toByteArray()));
  }

  private Handshake answerTo(Handshake offer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    introducer.answer(sent(offer), bytes, END);
    return Handshake.read(new ByteArrayInputStream(bytes.toByteArray()));
  }

  @Test
  public void newestVersionOfBothIsTaken() throws Exception {
    int most = Handshake.MAXIMUM_VERSION;
    Handshake answer = answerTo(Handshake.offering(NodeId.random(), List.of("uka"), 1, most + 5));
    assertThat(answer.least).isEqualTo(most);
    assertThat(answer.most).isEqualTo(most);
    assertThat(answer.formats).containsExactly("uka");
  }

  @Test
  public void nodesWithoutACommonVersionSayWhich() throws Exception {
    int most = Handshake.MAXIMUM_VERSION;
    Handshake offer = Handshake.offering(NodeId.random(), List.of("uka"), most + 1, most + 3);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    assertThatThrownBy(() -> introducer.answer(offer, bytes, END))
        .isInstanceOf(StreamCorruptedException.class);
    Handshake answer = Handshake.read(new ByteArrayInputStream(bytes.toByteArray()));
    assertThatThrownBy(() -> introducer.agree(answer, "there", false))
        .isInstanceOf(ConnectIOException.class)
        .hasMessageContaining("versions " + (most + 1) + " to " + (most + 3));
  }

  @Test
  public void featuresThatOneLacksAreLeftOut() throws Exception {
    Handshake offer = new Handshake(NodeId.random(), List.of("jdk", "uka"));
    assertThat(answerTo(offer).features).isEqualTo(offer.features & Handshake.FEATURES);
    Handshake later = Handshake.offering(NodeId.random(), List.of("uka"), -1);
    assertThat(answerTo(later).features).isEqualTo(Handshake.FEATURES);
  }

  @Test
  public void nodeThatKnowsNoSignsOfLifeIsNeitherGivenNorExpectedToGiveAny() throws Exception {
    Introduction old = introduction(Handshake.offering(NodeId.random(), List.of("uka"), 0));
    assertThat(old.givesSigns).isFalse();
    assertThat(old.wantsSignsMillis).isZero();
    Handshake answer = answerTo(Handshake.offering(NodeId.random(), List.of("uka"), 0));
    assertThat(answer.features).isZero();
    assertThat(answer.keepAliveMillis).as("not even written").isZero();
  }

  @Test
  public void bothEndsLearnHowLongTheOtherOneWaitsForASignOfLife() throws Exception {
    Handshake offer = new Handshake(NodeId.random(), List.of("uka"), 0, 7_000);
    assertThat(introduction(offer).wantsSignsMillis).isEqualTo(7_000);
    assertThat(introduction(offer).givesSigns).isTrue();
    assertThat(answerTo(offer).keepAliveMillis).isEqualTo(settings.keepAliveMillis);
    Handshake never = new Handshake(NodeId.random(), List.of("uka"), 0, -5);
    assertThat(introduction(never).wantsSignsMillis).isZero();
  }

  private Introduction introduction(Handshake offer) throws IOException {
    return introducer.answer(sent(offer), new ByteArrayOutputStream(), END);
  }

  @Test
  public void whatALaterLayoutAddsIsSkipped() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new Handshake(NodeId.random(), List.of("uka")).write(bytes);
    byte[] longer = java.util.Arrays.copyOf(bytes.toByteArray(), bytes.size() + 9);
    longer[5] += 9;
    assertThat(Handshake.read(new ByteArrayInputStream(longer)).formats).containsExactly("uka");
  }

  @Test
  public void nodeShowsTheSameTokenAtAnAddressAndAnotherElsewhere() throws Exception {
    assertThat(token(introducer, "here:1")).isEqualTo(token(introducer, "here:1"));
    assertThat(token(introducer, "here:1")).isNotEqualTo(token(introducer, "here:2"));
    assertThat(token(introducer, "here:1"))
        .as("two nodes")
        .isNotEqualTo(token(new Introducer(node, settings), "here:1"));
  }

  private long token(Introducer introducer, String address) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    introducer.offer(bytes, address, false);
    return Handshake.read(new ByteArrayInputStream(bytes.toByteArray())).token;
  }

  @Test
  public void tokensAreSipHashes() {
    byte[] message = new byte[15];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) i;
    }
    TokenSource source = new TokenSource(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    assertThat(source.hash(message)).isEqualTo(0xa129ca6149be45e5L);
    assertThat(source.hash(new byte[0])).isEqualTo(0x726fdb47dd0e0e31L);
  }

  @Test
  public void onlyTokenAndCredentialTogetherProveWhoItIs() {
    NodeId id = NodeId.random();
    PeerIdentity known = new PeerIdentity(id, 7, "certificate");
    assertThat(known)
        .isEqualTo(new PeerIdentity(id, 7, "certificate"))
        .isNotEqualTo(new PeerIdentity(id, 8, "certificate"))
        .isNotEqualTo(new PeerIdentity(id, 7, "another"))
        .isNotEqualTo(new PeerIdentity(id, 7, null))
        .isNotEqualTo(new PeerIdentity(NodeId.random(), 7, "certificate"));
    assertThat(known.toString()).doesNotContain("7, ").contains(id.toString());
  }

  @Test
  public void nodeOfAnEarlierVersionIsSaidNothing() throws Exception {
    Introducer introducer =
        new Introducer(new Callee((call, in, out) -> {}), new ConnectionSettings(name -> null));
    TechnologyId end = new TechnologyId("none", "");
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    Handshake earlier =
        Handshake.offering(NodeId.random(), List.of("uka"), Handshake.SIGNS_OF_LIFE);
    assertThat(introducer.answer(earlier, sent, end).knowsGoAway).isFalse();
    Handshake now = new Handshake(NodeId.random(), List.of("uka"));
    assertThat(introducer.answer(now, sent, end).knowsGoAway).isTrue();
  }
}

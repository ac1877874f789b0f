package io.karmi.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.junit.Test;

/** Names of objects: what makes two of them equal, and how they are written. */
public class ObjectIdTest {
  private static final TechnologyId TCP = new TechnologyId("tcp", "10.0.0.7:4711");
  private static final TechnologyId UDS = new TechnologyId("uds", "/run/karmi/7.sock");
  private static final NodeId NODE = NodeId.of(0x0123456789ABCDEFL, -2);

  private static byte[] written(ObjectId id) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    id.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static ObjectId read(byte[] bytes) throws IOException {
    return ObjectId.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  @Test
  public void writtenIdIsReadWithAllItsWays() throws IOException {
    ObjectId id = read(written(new ObjectId(NODE, -42, TCP, UDS)));
    assertThat(id).isEqualTo(new ObjectId(NODE, -42, TCP, UDS));
    assertThat(id.node()).isEqualTo(NODE);
    assertThat(id.number()).isEqualTo(-42);
    assertThat(id.technologyCount()).isEqualTo(2);
    assertThat(id.technology(0)).isEqualTo(TCP);
    assertThat(id.technology("uds")).isEqualTo(UDS);
    assertThat(id.technology("shm")).isNull();
  }

  @Test
  public void idIsWrittenAsTheWireFormatSays() throws IOException {
    byte[] bytes = written(new ObjectId(NODE, 7, new TechnologyId("t", "ab")));
    assertThat(bytes)
        .as("node: two longs, number: a long, count: a byte, two strings each")
        .hasSize(16 + 8 + 1 + 3 + 4)
        .startsWith(0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF)
        .endsWith(1, 0, 1, 't', 0, 2, 'a', 'b');
  }

  @Test
  public void waysDoNotMatterToEquality() {
    assertThat(new ObjectId(NODE, 9, TCP))
        .isEqualTo(new ObjectId(NODE, 9, UDS))
        .hasSameHashCodeAs(new ObjectId(NODE, 9))
        .isNotEqualTo(new ObjectId(NODE, 10, TCP))
        .isNotEqualTo(new ObjectId(NodeId.random(), 9, TCP));
  }

  @Test
  public void waysStandForTheNodeWhileItIsUnknown() {
    assertThat(new ObjectId(NodeId.UNKNOWN, 0, TCP))
        .isEqualTo(new ObjectId(NodeId.UNKNOWN, 0, TCP))
        .hasSameHashCodeAs(new ObjectId(NodeId.UNKNOWN, 0, TCP))
        .isNotEqualTo(new ObjectId(NodeId.UNKNOWN, 0, UDS));
  }

  @Test
  public void siblingIsReachedByTheSameWays() {
    ObjectId collector = new ObjectId(NODE, 1L << 40, TCP, UDS).sibling(ObjectId.COLLECTOR);
    assertThat(collector).isEqualTo(new ObjectId(NODE, ObjectId.COLLECTOR));
    assertThat(collector.technologyCount()).isEqualTo(2);
    assertThat(collector.isWellKnown()).isTrue();
    assertThat(collector.isControl()).isTrue();
    assertThat(new ObjectId(NODE, ObjectId.REGISTRY).isOfOneEnd()).isTrue();
  }

  @Test
  public void numbersUpTo15AreWellKnown() {
    assertThat(ObjectId.isWellKnown(0)).isTrue();
    assertThat(ObjectId.isWellKnown(15)).isTrue();
    assertThat(ObjectId.isWellKnown(16)).isFalse();
    assertThat(ObjectId.isWellKnown(-1)).isFalse();
  }

  @Test
  public void idThatClaimsManyTechnologiesIsRefused() throws IOException {
    byte[] bytes = written(new ObjectId(NODE, 7));
    bytes[bytes.length - 1] = 65;
    assertThatThrownBy(() -> read(bytes))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("object id with 65 technologies; at most 64");
  }

  @Test
  public void idThatIsCutOffIsNotRead() throws IOException {
    byte[] bytes = written(new ObjectId(NODE, 7, TCP, UDS));
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> read(part))
          .as("%d of %d bytes", length, bytes.length)
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  public void wayThatIsTooLongIsRefused() throws IOException {
    byte[] bytes = written(new ObjectId(NODE, 7, new TechnologyId("tcp", "x".repeat(4097))));
    assertThatThrownBy(() -> read(bytes)).isExactlyInstanceOf(IOException.class);
  }

  @Test
  public void attachmentIsNoPartOfAWay() {
    TechnologyId resolved = new TechnologyId("tcp", "10.0.0.7:4711");
    resolved.attach(new Object());
    assertThat(resolved).isEqualTo(TCP).hasSameHashCodeAs(TCP).hasToString("tcp 10.0.0.7:4711");
    assertThat(TCP.attachment()).isNull();
  }
}

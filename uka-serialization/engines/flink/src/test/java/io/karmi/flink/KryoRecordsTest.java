package io.karmi.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.karmi.flink.UkaTypeSerializerTest.Account;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Records of the serializers that one line of configuration puts below Kryo. */
public class KryoRecordsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  /** It has no part in reading but its loader. */
  private static final Kryo KRYO = new Kryo();

  private static final String FIRST =
      """
      package app;
      public class Account implements java.io.Serializable {
        private static final long serialVersionUID = 1;
        public enum Kind { OLD, NEW, GONE }
        public static class Extra implements java.io.Serializable {
          private static final long serialVersionUID = 1;
          public String text = "extra";
        }
        public Kind kind = Kind.NEW;
        public Extra extra = new Extra();
        public String owner = "first";
      }
      """;

  /** A constant, a class and a field are gone; there is another field. */
  private static final String SECOND =
      """
      package app;
      public class Account implements java.io.Serializable {
        private static final long serialVersionUID = 1;
        public enum Kind { NEWEST, NEW, OLD }
        public int number = 8;
        public Kind kind = Kind.NEWEST;
        public String owner = "second";
      }
      """;

  private static final String INCOMPATIBLE =
      """
      package app;
      public class Account implements java.io.Serializable {
        private static final long serialVersionUID = 2;
      }
      """;

  private final ClassLoader loaderBefore = Thread.currentThread().getContextClassLoader();

  @After
  public void resetLoader() {
    Thread.currentThread().setContextClassLoader(loaderBefore);
  }

  private static List<KryoRecords> both() {
    return List.of(new UkaKryoSerializer(), new UkaSlimKryoSerializer());
  }

  private static byte[] written(Serializer<Object> serializer, Object object) {
    Output out = new Output(64, -1);
    serializer.write(new Kryo(), out, object);
    return out.toBytes();
  }

  private static Object read(Serializer<Object> serializer, byte[] record, Class<?> type) {
    Kryo kryo = new Kryo();
    kryo.setClassLoader(type.getClassLoader());
    Input in = new Input(record);
    Object read = serializer.read(kryo, in, type);
    assertThat(in.position()).isEqualTo(record.length);
    return read;
  }

  /** Flink's serializer of a generic type, as the line of configuration sets it up. */
  private static <T> TypeSerializer<T> below(Class<?> serializer, Class<T> type) {
    Configuration configuration = new Configuration();
    configuration.setString(
        "pipeline.serialization-config",
        "[java.io.Serializable: {type: kryo, kryo-type: default, class: "
            + serializer.getName()
            + "}]");
    ExecutionConfig execution = new ExecutionConfig();
    execution.configure(configuration, KryoRecordsTest.class.getClassLoader());
    return new GenericTypeInfo<>(type).createSerializer(execution.getSerializerConfig());
  }

  private static <T> byte[] written(TypeSerializer<T> serializer, T object) throws Exception {
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(object, out);
    return out.getCopyOfBuffer();
  }

  private static Object version(String name, String source) throws Exception {
    Class<?> type = Versions.load(FOLDER.getRoot().toPath().resolve(name), source);
    return type.getConstructor().newInstance();
  }

  private static Object field(Object object, String name) throws Exception {
    return object.getClass().getField(name).get(object);
  }

  /** A record as programs have them. */
  record Order(long number, String customer, double amount, Account.Kind kind, List<String> items)
      implements Serializable {}

  @Test
  public void slimRecordHasSixBytesMoreThanThatOfTheTypedSerializer() throws Exception {
    for (int i = 0; i < 50; i++) {
      List<String> items = new ArrayList<>(List.of("item " + i, "item " + (50 - i)));
      Order order = new Order(i, "customer " + i % 7, i / 8.0, Account.Kind.GOLD, items);
      int typed = written(new UkaTypeSerializer<>(Order.class), order).length;
      int slim = written(below(UkaSlimKryoSerializer.class, Order.class), order).length;
      /* Kryo's number of the class and its reference, the mark, and the fingerprint. */
      assertThat(slim - typed).isLessThanOrEqualTo(6);
    }
  }

  @Test
  public void recordsComeBackWhicheverOfTheSerializersHasWrittenThem() {
    for (KryoRecords writer : both()) {
      for (KryoRecords reader : both()) {
        for (Account each : UkaTypeSerializerTest.accounts()) {
          Object read = read(reader, written(writer, each), each.getClass());
          assertThat(read).isEqualTo(each).isNotSameAs(each);
        }
      }
    }
  }

  @Test
  public void copiesAreEqualAndTheirOwn() {
    for (KryoRecords serializer : both()) {
      for (Account each : UkaTypeSerializerTest.accounts()) {
        assertThat(serializer.copy(new Kryo(), each)).isEqualTo(each).isNotSameAs(each);
      }
    }
  }

  /** Backends compare keys by their bytes. */
  @Test
  public void bytesOfARecordDoNotDependOnWhatWasWrittenBefore() {
    for (KryoRecords serializer : both()) {
      Account gold = new Account(3, "owner", Account.Kind.GOLD);
      byte[] record = written(serializer, gold);
      for (Account each : UkaTypeSerializerTest.accounts()) {
        written(serializer, each);
        assertThat(written(serializer, gold)).isEqualTo(record);
      }
      Account unserializable = new Account(4, "owner", Account.Kind.PLAIN);
      unserializable.more.put("object", new Object());
      assertThatThrownBy(() -> written(serializer, unserializable))
          .isInstanceOf(KryoException.class);
      assertThat(written(serializer, gold)).isEqualTo(record);
    }
  }

  @Test
  public void bytesOfATypedRecordDoNotDependOnWhatWasWrittenBefore() throws Exception {
    TypeSerializer<Account> serializer = new UkaTypeSerializer<>(Account.class);
    Account gold = new Account(3, "owner", Account.Kind.GOLD);
    byte[] record = written(serializer, gold);
    for (Account each : UkaTypeSerializerTest.accounts()) {
      written(serializer, each);
      assertThat(written(serializer, gold)).isEqualTo(record);
    }
  }

  @Test
  public void recordOfAClassThatNoFieldLeadsToDescribesIt() {
    Account account = new Account(1, "owner", Account.Kind.GOLD);
    int tabled = written(new UkaSlimKryoSerializer(), account).length;
    account.more.put("currency", Currency.getInstance("EUR"));
    for (KryoRecords serializer : both()) {
      byte[] record = written(serializer, account);
      assertThat(record.length).isGreaterThan(tabled + 40);
      assertThat(record[0]).isNotZero();
      assertThat(read(serializer, record, Account.class)).isEqualTo(account);
    }
  }

  /** An interface of a proxy in a record. */
  interface Named {
    String name();
  }

  /** What a proxy in a record calls. */
  record Constant(String name) implements java.lang.reflect.InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return name;
    }
  }

  @Test
  public void proxyIsFoundByTheLoaderOfTheJob() {
    Account account = new Account(1, "owner", Account.Kind.GOLD);
    ClassLoader loader = KryoRecordsTest.class.getClassLoader();
    Class<?>[] interfaces = {Named.class};
    account.more.put("named", Proxy.newProxyInstance(loader, interfaces, new Constant("a name")));
    for (KryoRecords serializer : both()) {
      Account read = (Account) read(serializer, written(serializer, account), Account.class);
      assertThat(((Named) read.more.get("named")).name()).isEqualTo("a name");
    }
  }

  /** What the earlier form was: a length and a record that describes its classes. */
  private static byte[] inEarlierForm(Object object) throws Exception {
    RecordOutput alone = RecordOutput.alone();
    alone.write(object);
    Output out = new Output(64, -1);
    out.writeVarInt(alone.length(), true);
    out.writeBytes(alone.bytes(), 0, alone.length());
    return out.toBytes();
  }

  @Test
  public void recordsOfTheEarlierFormAreRead() throws Exception {
    Object first = version("earlierForm", FIRST);
    Object second = version("laterForm", SECOND);
    for (KryoRecords serializer : both()) {
      for (Account each : UkaTypeSerializerTest.accounts()) {
        assertThat(read(serializer, inEarlierForm(each), each.getClass())).isEqualTo(each);
      }
      Object read = read(serializer, inEarlierForm(first), second.getClass());
      assertThat(field(read, "owner")).isEqualTo("first");
      assertThat(field(read, "number")).isEqualTo(0);
    }
  }

  @SuppressWarnings("unchecked")
  private static TypeSerializer<Object> generic(Class<?> type) {
    return (TypeSerializer<Object>) below(UkaKryoSerializer.class, type);
  }

  @Test
  public void stateOfAnEarlierVersionIsReadThoughFlinkKeepsNothingOfTheClass() throws Exception {
    Object first = version("first", FIRST);
    Object second = version("second", SECOND);
    Thread.currentThread().setContextClassLoader(first.getClass().getClassLoader());
    TypeSerializer<Object> before = generic(first.getClass());
    byte[] record = written(before, first);
    DataOutputSerializer out = new DataOutputSerializer(16);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, before.snapshotConfiguration());
    Thread.currentThread().setContextClassLoader(second.getClass().getClassLoader());
    TypeSerializerSnapshot<Object> saved =
        TypeSerializerSnapshot.readVersionedSnapshot(
            new DataInputDeserializer(out.getCopyOfBuffer()), second.getClass().getClassLoader());
    TypeSerializer<Object> after = generic(second.getClass());
    assertThat(after.snapshotConfiguration().resolveSchemaCompatibility(saved).isCompatibleAsIs())
        .as("Flink does not look at the class, and reads the records as they are")
        .isTrue();
    for (TypeSerializer<Object> reader : List.of(after, saved.restoreSerializer())) {
      byte[] own = written(reader, second);
      for (int i = 0; i < 3; i++) {
        Object read = reader.deserialize(new DataInputDeserializer(record));
        assertThat(field(read, "owner")).isEqualTo("first");
        assertThat(field(read, "kind")).hasToString("NEW");
        assertThat(field(read, "number")).isEqualTo(0);
        read = reader.deserialize(new DataInputDeserializer(own));
        assertThat(field(read, "owner")).isEqualTo("second");
        assertThat(field(read, "kind")).hasToString("NEWEST");
        assertThat(field(read, "number")).isEqualTo(8);
      }
    }
  }

  @Test
  public void recordWithAConstantThatIsGoneFailsAndOthersDoNot() throws Exception {
    Object first = version("withConstant", FIRST);
    Object second = version("withoutConstant", SECOND);
    byte[] fine = written(new UkaKryoSerializer(), first);
    Object gone = field(first, "kind").getClass().getField("GONE").get(null);
    first.getClass().getField("kind").set(first, gone);
    byte[] record = written(new UkaKryoSerializer(), first);
    UkaKryoSerializer reader = new UkaKryoSerializer();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> read(reader, record, second.getClass()))
          .isInstanceOf(KryoException.class)
          .hasMessageContaining("app.Account")
          .hasStackTraceContaining(InvalidObjectException.class.getName())
          .hasStackTraceContaining("GONE");
      assertThat(field(read(reader, fine, second.getClass()), "kind")).hasToString("NEW");
    }
  }

  @Test
  public void incompatibleVersionIsRefused() throws Exception {
    byte[] record = written(new UkaKryoSerializer(), version("compatible", FIRST));
    Class<?> other = version("incompatible", INCOMPATIBLE).getClass();
    assertThatThrownBy(() -> read(new UkaKryoSerializer(), record, other))
        .isInstanceOf(KryoException.class)
        .hasRootCauseInstanceOf(InvalidClassException.class)
        .hasStackTraceContaining("app.Account");
  }

  @Test
  public void slimRecordOfAnotherVersionIsRefusedWithBothFingerprintsAndTheWayOut()
      throws Exception {
    Object first = version("slimFirst", FIRST);
    Class<?> second = version("slimSecond", SECOND).getClass();
    byte[] record = written(new UkaSlimKryoSerializer(), first);
    assertThatThrownBy(() -> read(new UkaSlimKryoSerializer(), record, second))
        .isInstanceOf(KryoException.class)
        .hasMessageContaining("app.Account")
        .hasRootCauseInstanceOf(InvalidClassException.class)
        .hasStackTraceContaining("in the record")
        .hasStackTraceContaining(UkaKryoSerializer.class.getName());
    Object again = version("slimAgain", FIRST);
    assertThat(field(read(new UkaKryoSerializer(), record, again.getClass()), "owner"))
        .isEqualTo("first");
  }

  @Test
  public void slimStateGoesOnInRecordsThatDescribeTheirClassesWhereTheLineHasChanged()
      throws Exception {
    Account account = new Account(1, "owner", Account.Kind.GOLD);
    TypeSerializer<Account> slim = below(UkaSlimKryoSerializer.class, Account.class);
    byte[] record = written(slim, account);
    TypeSerializer<Account> described = below(UkaKryoSerializer.class, Account.class);
    TypeSerializer<Account> after = restored(slim, described);
    Account read = after.deserialize(new DataInputDeserializer(record));
    assertThat(read).isEqualTo(account);
    byte[] again = written(after, read);
    assertThat(again).isEqualTo(written(described, account)).hasSizeGreaterThan(2 * record.length);
  }

  /** Flink looks at the names of types and of registered classes, and finds both to be the same. */
  @Test
  public void stateOfKryosOwnIsRefusedByTheLineAndTheMessageSaysTheWayBack() throws Exception {
    Account account = new Account(1, "owner", Account.Kind.GOLD);
    TypeSerializer<Account> kryo =
        new GenericTypeInfo<>(Account.class)
            .createSerializer(new ExecutionConfig().getSerializerConfig());
    byte[] record = written(kryo, account);
    for (KryoRecords each : both()) {
      TypeSerializer<Account> line = below(each.getClass(), Account.class);
      TypeSerializer<Account> restored = restored(kryo, line);
      assertThatThrownBy(() -> restored.deserialize(new DataInputDeserializer(record)))
          .isInstanceOf(KryoException.class)
          .hasMessageContaining(Account.class.getName())
          .hasMessageContaining("Kryo has written it: restore it without the line");
      assertThat(restored.deserialize(new DataInputDeserializer(written(line, account))))
          .as("after the failure")
          .isEqualTo(account);
    }
    TypeSerializer<Account> back = restored(kryo, kryo.duplicate());
    assertThat(back.deserialize(new DataInputDeserializer(record))).isEqualTo(account);
  }

  /** What reads state once Flink has compared the snapshot of its writer with a new serializer. */
  private TypeSerializer<Account> restored(
      TypeSerializer<Account> writer, TypeSerializer<Account> now) throws Exception {
    DataOutputSerializer out = new DataOutputSerializer(16);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, writer.snapshotConfiguration());
    TypeSerializerSnapshot<Account> saved =
        TypeSerializerSnapshot.readVersionedSnapshot(
            new DataInputDeserializer(out.getCopyOfBuffer()), loaderBefore);
    TypeSerializerSchemaCompatibility<Account> compatibility =
        now.snapshotConfiguration().resolveSchemaCompatibility(saved);
    assertThat(compatibility.isIncompatible()).isFalse();
    return compatibility.isCompatibleWithReconfiguredSerializer()
        ? compatibility.getReconfiguredSerializer()
        : now;
  }

  private static void readOrRefused(KryoRecords reader, byte[] record) {
    try {
      reader.read(KRYO, new Input(record), Account.class);
    } catch (KryoException e) {
      assertThat(e).message().isNotBlank();
    }
  }

  @Test
  public void damagedRecordIsKryosExceptionAndLeavesTheReaderAsItWas() {
    for (KryoRecords serializer : both()) {
      Account account = new Account(1, "owner", Account.Kind.GOLD);
      byte[] record = written(serializer, account);
      for (int i = 0; i < record.length; i++) {
        byte[] cut = Arrays.copyOf(record, i);
        assertThatThrownBy(() -> serializer.read(KRYO, new Input(cut), Account.class))
            .isInstanceOf(KryoException.class);
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          byte[] flipped = record.clone();
          flipped[i] ^= (byte) (1 << bit);
          readOrRefused(serializer, flipped);
        }
        assertThat(read(serializer, record, Account.class)).isEqualTo(account);
      }
    }
  }

  @Test
  public void claimedLengthTakesNoMemory() {
    for (String head : List.of("", "0000000000", "000000000000")) {
      byte[] record = HexFormat.of().parseHex(head + "ffffffff07" + "000000");
      assertThatThrownBy(
              () -> new UkaKryoSerializer().read(new Kryo(), new Input(record), Account.class))
          .isInstanceOf(KryoException.class);
    }
    byte[] negative = HexFormat.of().parseHex("ffffffff0f");
    assertThatThrownBy(
            () -> new UkaKryoSerializer().read(new Kryo(), new Input(negative), Account.class))
        .isInstanceOf(KryoException.class)
        .hasStackTraceContaining("has the length -1");
  }

  @Test
  public void classesOfTheJdkAreDescribedAsRecordsTakeForGranted() {
    assertThat(HexFormat.of().formatHex(JdkClasses.here().bytes()))
        .isEqualTo(HexFormat.of().formatHex(JdkClasses.usual().bytes()));
    assertThat(JdkClasses.areUsual()).isTrue();
  }

  /** A figure; its kinds are known. */
  sealed interface Figure permits Circle, Square {}

  /** A kind of figure. */
  record Circle(double radius) implements Figure, Serializable {}

  /** Another. */
  record Square(double side) implements Figure, Serializable {}

  /** What a list has. */
  record Item(String name) implements Serializable {}

  /** What the values of a map have. */
  record Price(long cents) implements Serializable {}

  /** A class whose fields lead to others by their declared types. */
  record Drawing(
      Figure figure, List<? extends Item> items, Map<String, List<Price>> prices, Item[][] more)
      implements Serializable {}

  @Test
  public void declaredTypesLeadToElementsOfCollectionsAndToPermittedSubclasses() throws Exception {
    var table = TypeTable.of(Drawing.class);
    for (Class<?> each :
        List.of(Circle.class, Square.class, Item.class, Price.class, Item[][].class)) {
      assertThat(table.contains(each)).as(each.getName()).isTrue();
    }
    assertThat(table.contains(Figure.class)).isFalse();
    Drawing drawing =
        new Drawing(
            new Circle(1),
            new ArrayList<>(List.of(new Item("a"), new Item("b"))),
            Map.of("c", List.of(new Price(7))),
            new Item[][] {{new Item("d")}});
    byte[] record = written(new UkaSlimKryoSerializer(), drawing);
    assertThat(record).hasSizeLessThan(100);
    Drawing read = (Drawing) read(new UkaSlimKryoSerializer(), record, Drawing.class);
    assertThat(read.figure()).isEqualTo(drawing.figure());
    assertThat(read.items()).isEqualTo(drawing.items());
    assertThat(read.prices()).isEqualTo(drawing.prices());
    assertThat(read.more()).isDeepEqualTo(drawing.more());
  }
}

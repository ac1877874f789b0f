package io.karmi.engines.flink;

import examples.spark.Order;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.engines.ProcessorTime;
import io.karmi.engines.Service;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.query.KvStateRegistry;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackendBuilder;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueSetFactory;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * Keyed state: a record under its number.
 *
 * <p>Flink's backend on the heap keeps objects, and serializes them for a snapshot; that backend
 * itself does it here, and is restored. A backend on disk serializes with each put and get; what is
 * measured here is that part of it: Flink's serializer of the type, between an object and an array.
 */
final class StateWorkload {
  /** As a job has whose largest parallelism is not set. */
  private static final int KEY_GROUPS = 128;

  private final Orders orders;
  private final FlinkSettings settings;

  StateWorkload(Orders orders, FlinkSettings settings) {
    this.orders = orders;
    this.settings = settings;
  }

  List<Measurement> run() throws Exception {
    String expected = orders.observation();
    long begin = ProcessorTime.ofThread();
    byte[][] kept = put();
    long put = ProcessorTime.ofThread() - begin;
    begin = ProcessorTime.ofThread();
    Order[] got = get(kept);
    long get = ProcessorTime.ofThread() - begin;
    orders.compare("flink state: get", observation(got));
    long bytes = 0;
    for (byte[] each : kept) {
      bytes += each.length;
    }
    HeapKeyedStateBackend<Long> backend = backend(List.of());
    fill(backend);
    begin = ProcessorTime.ofThread();
    SnapshotResult<KeyedStateHandle> snapshot = snapshot(backend);
    long saved = ProcessorTime.ofThread() - begin;
    backend.dispose();
    begin = ProcessorTime.ofThread();
    HeapKeyedStateBackend<Long> restored = backend(List.of(snapshot.getJobManagerOwnedSnapshot()));
    long restore = ProcessorTime.ofThread() - begin;
    orders.compare("flink snapshot: restore", observation(restored));
    restored.dispose();
    return List.of(
        Service.measured("flink state: put", put, bytes, expected),
        Service.measured("flink state: get", get, -1, expected),
        Service.measured("flink snapshot: write", saved, snapshot.getStateSize(), expected),
        Service.measured("flink snapshot: restore", restore, -1, expected));
  }

  private TypeSerializer<Order> serializer() {
    return settings.type().createSerializer(settings.execution().getSerializerConfig());
  }

  private byte[][] put() throws Exception {
    TypeSerializer<Order> serializer = serializer();
    DataOutputSerializer out = new DataOutputSerializer(1 << 7);
    byte[][] kept = new byte[orders.count()][];
    for (int i = 0; i < kept.length; i++) {
      out.clear();
      serializer.serialize(orders.get(i), out);
      kept[i] = out.getCopyOfBuffer();
    }
    return kept;
  }

  private Order[] get(byte[][] kept) throws Exception {
    TypeSerializer<Order> serializer = serializer();
    DataInputDeserializer in = new DataInputDeserializer();
    Order[] got = new Order[kept.length];
    for (int i = 0; i < kept.length; i++) {
      in.setBuffer(kept[i]);
      got[i] = serializer.deserialize(in);
    }
    return got;
  }

  private static String observation(Order[] got) {
    long sum = 0;
    for (Order each : got) {
      sum += each.checksum();
    }
    return Orders.observation(got.length, sum);
  }

  private HeapKeyedStateBackend<Long> backend(Collection<KeyedStateHandle> restored)
      throws Exception {
    ExecutionConfig execution = settings.execution();
    KeyGroupRange all = KeyGroupRange.of(0, KEY_GROUPS - 1);
    return new HeapKeyedStateBackendBuilder<>(
            new KvStateRegistry()
                .createTaskRegistry(
                    new org.apache.flink.api.common.JobID(),
                    new org.apache.flink.runtime.jobgraph.JobVertexID()),
            LongSerializer.INSTANCE,
            StateWorkload.class.getClassLoader(),
            KEY_GROUPS,
            all,
            execution,
            TtlTimeProvider.DEFAULT,
            LatencyTrackingStateConfig.disabled(),
            SizeTrackingStateConfig.disabled(),
            restored,
            UncompressedStreamCompressionDecorator.INSTANCE,
            LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED,
            new HeapPriorityQueueSetFactory(all, KEY_GROUPS, 1 << 7),
            true,
            new CloseableRegistry())
        .build();
  }

  private ValueState<Order> state(HeapKeyedStateBackend<Long> backend) throws Exception {
    ValueStateDescriptor<Order> descriptor = new ValueStateDescriptor<>("orders", serializer());
    return backend.getPartitionedState(
        VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
  }

  private void fill(HeapKeyedStateBackend<Long> backend) throws Exception {
    ValueState<Order> state = state(backend);
    for (int i = 0; i < orders.count(); i++) {
      backend.setCurrentKey((long) i);
      state.update(orders.get(i));
    }
  }

  private static SnapshotResult<KeyedStateHandle> snapshot(HeapKeyedStateBackend<Long> backend)
      throws Exception {
    RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot =
        backend.snapshot(
            1,
            1,
            new MemCheckpointStreamFactory(Integer.MAX_VALUE),
            CheckpointOptions.forCheckpointWithDefaultLocation());
    snapshot.run();
    return snapshot.get();
  }

  private String observation(HeapKeyedStateBackend<Long> backend) throws Exception {
    ValueState<Order> state = state(backend);
    Order[] got = new Order[backend.numKeyValueStateEntries()];
    for (int i = 0; i < got.length; i++) {
      backend.setCurrentKey((long) i);
      got[i] = state.value();
    }
    return observation(got);
  }
}

// Reads metrics from standard input as `promtool check metrics` does: with Prometheus' own parser, and its rules for names.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sort"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

func main() {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(input))
	if err != nil {
		fail(err)
	}
	problems, err := promlint.New(bytes.NewReader(input)).Lint()
	if err != nil {
		fail(err)
	}
	names := make([]string, 0, len(families))
	for name := range families {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Println("metric", name)
	}
	for _, problem := range problems {
		fmt.Printf("lint %s: %s\n", problem.Metric, problem.Text)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

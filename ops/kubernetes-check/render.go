// Renders a Helm chart as helm does: with Go's templates and the functions of sprig, from Debian's packages golang-go and
// golang-github-masterminds-sprig-dev. Reads {"chart", "release", "values"} from standard input, values as JSON; prints the
// text of each template. Of Helm's own functions it has those that the chart uses: include, toYaml, toJson and .Files.Get.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

type files struct{ folder string }

func (f files) Get(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(f.folder, name))
	return string(text), err
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func asJSON(value interface{}) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

func main() {
	var asked struct {
		Folder  string
		Chart   map[string]interface{}
		Release map[string]interface{}
		Values  map[string]interface{}
	}
	decoder := json.NewDecoder(os.Stdin)
	// Whole numbers stay whole, as in helm.
	decoder.UseNumber()
	check(decoder.Decode(&asked))
	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	// JSON is YAML.
	functions["toYaml"] = asJSON
	functions["toJson"] = asJSON
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := root.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	root.Funcs(functions)
	names, err := filepath.Glob(filepath.Join(asked.Folder, "templates", "*"))
	check(err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		check(err)
		_, err = root.New(filepath.Base(name)).Parse(string(text))
		check(err)
	}
	data := map[string]interface{}{
		"Chart": asked.Chart, "Release": asked.Release, "Values": asked.Values, "Files": files{asked.Folder},
	}
	rendered := map[string]string{}
	for _, name := range names {
		file := filepath.Base(name)
		if strings.HasPrefix(file, "_") {
			continue
		}
		var out bytes.Buffer
		check(root.ExecuteTemplate(&out, file, data))
		rendered[file] = out.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}
